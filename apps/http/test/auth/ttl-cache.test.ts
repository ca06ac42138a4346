import { describe, expect, it } from "vitest";
import { ttlCache } from "../../src/auth/ttl-cache.ts";

/** Loads 1, 2, 3 … in this order, and fails while `away`. */
function source() {
  const state = { loads: 0, away: false };
  const load = async () => {
    state.loads++;
    if (state.away) throw new Error("away");
    return state.loads;
  };
  return { state, load };
}

describe("a cached value", () => {
  it("is loaded once within its lifetime, for concurrent callers, too", async () => {
    const { load } = source();
    const get = ttlCache(load, 3600_000);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(await get()).toBe(1);
  });

  it("is loaded again after its lifetime", async () => {
    const { load } = source();
    const get = ttlCache(load, 0);
    expect([await get(), await get()]).toEqual([1, 2]);
  });

  it("is never a failure: the next caller tries again", async () => {
    const { state, load } = source();
    const get = ttlCache(load, 3600_000);
    state.away = true;
    await expect(get()).rejects.toThrow("away");
    state.away = false;
    expect(await get()).toBe(2);
  });

  it("outlives later failures", async () => {
    const { state, load } = source();
    const get = ttlCache(load, 0);
    await get();
    state.away = true;
    expect(await get()).toBe(1);
    state.away = false;
    expect(await get()).toBe(3);
  });
});
