import { describe, expect, it } from "vitest";
import { type DomainState, graceMs, nextState } from "../../src/domains/checks.ts";

const start = new Date("2026-03-01T12:00:00.000Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const pending: DomainState = { status: "pending", verified_at: null, broken_since: null };
const verified: DomainState = { status: "verified", verified_at: start, broken_since: null };
const broken: DomainState = { ...verified, broken_since: after(1000) };
const failed: DomainState = { status: "failed", verified_at: null, broken_since: after(1000) };

describe("records that are right", () => {
  it("verify a domain, from now on", () => {
    const now = after(5000);
    const since = { status: "verified", verified_at: now, broken_since: null };
    expect(nextState(pending, "good", now)).toEqual(since);
    expect(nextState(failed, "good", now)).toEqual(since);
  });

  it("keep the time at which a domain was verified, and end its grace period", () => {
    expect(nextState(verified, "good", after(5000))).toEqual(verified);
    expect(nextState(broken, "good", after(5000))).toEqual(verified);
  });
});

describe("records that are wrong", () => {
  it("are forgiven for 72 hours", () => {
    expect(graceMs).toBe(72 * 3_600_000);
  });

  it("leave a domain pending, or failed, that is not verified", () => {
    expect(nextState(pending, "wrong", after(graceMs * 2))).toEqual(pending);
    expect(nextState(failed, "wrong", after(graceMs * 2))).toEqual(failed);
  });

  it("fail a verified domain when its grace period is over, counted from when they were first found", () => {
    expect(nextState(verified, "wrong", after(1000))).toEqual(broken);
    expect(nextState(broken, "wrong", after(1000 + graceMs - 1))).toEqual(broken);
    expect(nextState(broken, "wrong", after(1000 + graceMs))).toEqual(failed);
  });
});

it("resolvers that do not answer change nothing, however long", () => {
  for (const state of [pending, verified, broken, failed]) {
    expect(nextState(state, "unknown", after(graceMs * 10))).toEqual(state);
  }
});
