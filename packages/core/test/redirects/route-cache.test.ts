import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Route } from "../../src/redirects/route.ts";
import { RouteCache } from "../../src/redirects/cache.ts";
import { noRules } from "../../src/redirects/rules/rules.ts";

const route = (destination = "https://example.com/"): Route => ({
  link_id: "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee",
  destination,
  expires_at: null,
  account: 0,
  rules: null,
  loadedAt: 1,
  used: false,
});
const limits = { entries: 1000, bytes: 1_000_000, unknown: 100 };

describe("a route cache", () => {
  it("holds no more routes than its limit, and keeps the latest", () => {
    const cache = new RouteCache(limits);
    for (let at = 0; at < 10_000; at++) {
      cache.set(`slug${at}`, route());
      expect(cache.size).toBeLessThanOrEqual(1000);
    }
    expect(cache.size).toBe(1000);
    expect(cache.get("slug9999")).toBeDefined();
    expect(cache.get("slug8999")).toBeUndefined();
  });

  it("holds no more bytes than its limit, whatever the routes' sizes", () => {
    const cache = new RouteCache({ ...limits, bytes: 100_000 });
    for (let at = 0; at < 2000; at++) {
      cache.set(`slug${at}`, route(`https://example.com/${"x".repeat((at * 7919) % 5000)}`));
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.size).toBeGreaterThan(10);
  });

  it("does not store a route that is larger than its limit, and removes the earlier one", () => {
    const cache = new RouteCache({ ...limits, bytes: 10_000 });
    cache.set("other", route());
    cache.set("slug", route());
    cache.set("slug", route("x".repeat(20_000)));
    expect(cache.get("slug")).toBeUndefined();
    expect(cache.get("other")).toBeDefined();
  });

  it("is at zero bytes when everything is deleted, replaced routes included", () => {
    const cache = new RouteCache(limits);
    for (let at = 0; at < 500; at++) cache.set(`slug${at % 100}`, route("x".repeat(at)));
    cache.set("rules", {
      ...route(),
      rules: { ...noRules, is_active: false, password_hash: "x", page: null },
    });
    for (let at = 0; at < 100; at++) cache.delete(`slug${at}`);
    cache.delete("rules");
    cache.delete("never there");
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });

  it("keeps hot routes through a scan of many cold ones", () => {
    const cache = new RouteCache(limits);
    const hot = Array.from({ length: 100 }, (_, at) => `hot${at}`);
    for (const slug of hot) cache.set(slug, route());
    for (let at = 0; at < 100_000; at++) {
      cache.set(`cold${at}`, route());
      if (at % 500 === 0) for (const slug of hot) expect(cache.get(slug)).toBeDefined();
    }
    for (const slug of hot) expect(cache.get(slug)).toBeDefined();
  });

  it("stores a new route even if all others have been used", () => {
    const cache = new RouteCache({ ...limits, entries: 10 });
    for (let at = 0; at < 10; at++) cache.set(`old${at}`, route());
    for (let round = 0; round < 100; round++) {
      for (let at = 0; at < 10; at++) cache.get(`old${at}`);
      cache.set(`new${round}`, route());
      expect(cache.get(`new${round}`)).toBeDefined();
      expect(cache.size).toBe(10);
    }
  });

  it("keeps nothing of the smaller tables that it has outgrown", () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const count = 100_000;
    const one = route();
    const cache = new RouteCache({ entries: count, bytes: 1e9, unknown: 100 });
    const before = heap();
    for (let at = 0; at < count; at++) cache.set(`slug${at}`, one);
    // A key and an entry of the table take about 70 bytes, and the smaller tables together as much as the last one, 37.
    expect((heap() - before) / count).toBeLessThan(90);
    expect(cache.size).toBe(count);
  });

  it("evicts no route for a million unknown slugs, and keeps no more of them than its limit", () => {
    const cache = new RouteCache(limits);
    for (let at = 0; at < 1000; at++) cache.set(`slug${at}`, route());
    for (let at = 0; at < 1_000_000; at++) cache.setUnknown(`unknown${at}`, 0);
    expect(cache.size).toBe(1000);
    const remembered = Array.from({ length: 1_000_000 }, (_, at) => at).filter((at) =>
      cache.isUnknown(`unknown${at}`, 1),
    );
    expect(remembered).toEqual(Array.from({ length: 100 }, (_, at) => 999_900 + at));
  });

  it("keeps an unknown slug for less than a second, and not after its creation", () => {
    const cache = new RouteCache(limits);
    cache.setUnknown("slug", 5000);
    expect(cache.isUnknown("slug", 5000)).toBe(true);
    expect(cache.isUnknown("slug", 5899)).toBe(true);
    expect(cache.isUnknown("slug", 5900)).toBe(false);
    cache.setUnknown("slug", 6000);
    cache.set("slug", route());
    expect(cache.isUnknown("slug", 6000)).toBe(false);
    cache.setUnknown("slug", 6000);
    expect(cache.get("slug")).toBeUndefined();
    cache.delete("slug");
    expect(cache.isUnknown("slug", 6000)).toBe(false);
  });

  it("does not keep long unknown slugs", () => {
    const cache = new RouteCache(limits);
    cache.setUnknown("x".repeat(1000), 0);
    expect(cache.isUnknown("x".repeat(1000), 1)).toBe(false);
  });

  it("marked stale keeps its routes, which must be loaded again, but no unknown slug", () => {
    const cache = new RouteCache(limits);
    cache.set("slug", route());
    cache.setUnknown("other", 0);
    cache.markStale();
    expect(cache.get("slug")).toMatchObject({ loadedAt: 0 });
    expect(cache.isUnknown("other", 1)).toBe(false);
  });
});
