import { afterAll, describe, expect, it } from "vitest";
import type { Account, Actor, Scope } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const hour = 3600 * 1000;
const inHours = (hours: number) => new Date(now.getTime() + hours * hour).toISOString();
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

const callerBy = async (key: string) => core.caller((await core.credentials.byKey(key)) as Actor);
async function callerWith(limits: { scopes?: readonly Scope[]; expires_at?: string }, owner?: Account) {
  const { id } = owner ?? (await account("enterprise"));
  const { key } = await core.keys.issue(id, "Caller", limits);
  return callerBy(key);
}

describe("a key with limits", () => {
  it("shows them, in the order of the documentation and without duplicates", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const given = ["keys", "links:read", "keys"] as const;
    const made = await keys.create({ scopes: [...given], expires_at: "2026-03-02T00:00:00+02:00" });
    const { key: _, ...shown } = made;
    expect(shown).toMatchObject({ scopes: ["links:read", "keys"], expires_at: "2026-03-01T22:00:00.000Z" });
    expect(await keys.list()).toEqual([shown]);
    expect((await keys.create()).scopes).toHaveLength(9);
  });

  it("is not created if it would expire at once", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const refused = { code: "BAD_REQUEST", message: "expires_at: must be in the future" };
    expect(await rejection(keys.create({ expires_at: now.toISOString() }))).toEqual(refused);
    const { id } = await account();
    expect(await rejection(core.keys.issue(id, "Late", { expires_at: inHours(-1) }))).toEqual(refused);
    expect((await rejection(core.keys.issue(id, "Late", { scopes: [] }))).code).toBe("BAD_REQUEST");
  });

  it("makes room for another once it has expired and the account has a hundred", async () => {
    const busy = await actor("enterprise");
    const { keys } = core.caller(busy);
    const first = await keys.create({ expires_at: inHours(1) });
    for (let at = 1; at < 100; at++) await keys.create();
    expect((await rejection(keys.create())).code).toBe("FORBIDDEN");
    later(hour);
    expect((await keys.list()).map(({ id }) => id)).toContain(first.id);
    await keys.create();
    expect((await keys.list()).map(({ id }) => id)).not.toContain(first.id);
    expect((await rejection(keys.create())).code).toBe("FORBIDDEN");
  });
});

describe("a key that creates a key", () => {
  it("gives its own limits, or smaller ones", async () => {
    const limits = { scopes: ["links:read", "keys"], expires_at: inHours(5) } as const;
    const { keys } = await callerWith(limits);
    expect(await keys.create()).toMatchObject(limits);
    const smaller = { scopes: ["keys" as const], expires_at: inHours(1) };
    expect(await keys.create(smaller)).toMatchObject(smaller);
  });

  it("cannot give scopes that it does not have, or a later expiry", async () => {
    const end = inHours(5);
    const { keys } = await callerWith({ scopes: ["links:read", "keys"], expires_at: end });
    expect(await rejection(keys.create({ scopes: ["links:read", "links:write"] }))).toEqual({
      code: "FORBIDDEN",
      message: "scopes: the API key of this request has only links:read, keys and cannot grant more",
    });
    expect(await rejection(keys.create({ expires_at: inHours(6) }))).toEqual({
      code: "FORBIDDEN",
      message: `expires_at: must not be after ${end}, when the API key of this request expires`,
    });
    expect(await keys.list()).toHaveLength(1);
  });

  it("cannot replace a key that can do more or lives longer", async () => {
    const owner = await account("enterprise");
    const [all, late] = [
      await core.keys.issue(owner.id, "All", { expires_at: inHours(1) }),
      await core.keys.issue(owner.id, "Late", { scopes: ["keys"] }),
    ];
    const { keys } = await callerWith({ scopes: ["keys"], expires_at: inHours(5) }, owner);
    expect((await rejection(keys.rotate({ id: all.id }))).message).toMatch(
      /^scopes: .* has only keys and cannot grant more/,
    );
    expect((await rejection(keys.rotate({ id: late.id }))).message).toMatch(/^expires_at: /);
    expect(await keys.rotate({ id: late.id, expires_at: inHours(5) })).toMatchObject({ scopes: ["keys"] });
    expect(await core.credentials.byKey(all.key)).not.toBeNull();
  });
});

describe("a replaced key", () => {
  it("works until the overlap ends, beside the new one, which has its name and limits", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const limits = { name: "Build", scopes: ["links:read" as const], expires_at: inHours(1000) };
    const old = await keys.create(limits);
    const made = await keys.rotate({ id: old.id });
    expect(made).toMatchObject(limits);
    expect([made.id, made.key]).not.toEqual([old.id, old.key]);
    expect((await keys.list()).map(({ id, expires_at }) => [id, expires_at])).toEqual([
      [made.id, limits.expires_at],
      [old.id, inHours(24)],
    ]);
    later(24 * hour - 1);
    expect(await core.credentials.byKey(old.key)).not.toBeNull();
    later(1);
    expect((await rejection(core.credentials.byKey(old.key))).code).toBe("UNAUTHORIZED");
    expect(await core.credentials.byKey(made.key)).not.toBeNull();
  });

  it("does not live longer because of the overlap, and not at all without one", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const expiring = await keys.create({ expires_at: inHours(1) });
    await keys.rotate({ id: expiring.id, overlap_hours: 168 });
    const stopped = await keys.create();
    await keys.rotate({ id: stopped.id, overlap_hours: 0 });
    expect((await rejection(core.credentials.byKey(stopped.key))).code).toBe("UNAUTHORIZED");
    later(hour);
    expect((await rejection(core.credentials.byKey(expiring.key))).code).toBe("UNAUTHORIZED");
  });

  it("is replaced once, also by concurrent requests", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const { id } = await keys.create();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, at) => keys.rotate({ id, overlap_hours: at })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await keys.list()).toHaveLength(2);
  });

  it("that has expired needs a new expiry", async () => {
    const { keys } = core.caller(await actor("enterprise"));
    const { id } = await keys.create({ expires_at: inHours(1) });
    later(2 * hour);
    expect((await rejection(keys.rotate({ id }))).message).toBe("expires_at: must be in the future");
    expect(await keys.rotate({ id, expires_at: inHours(1) })).toHaveProperty("key");
  });
});

describe("a session that creates or replaces a key", () => {
  it("needs a sign-in of the last ten minutes", async () => {
    const owner = await account("enterprise");
    const { token } = await core.sessions.create(owner.id);
    const { keys } = core.caller((await core.credentials.bySession(token)) as Actor);
    const { id } = await keys.create();
    later(10 * 60_000);
    await keys.create();
    later(1);
    expect(await rejection(keys.create())).toEqual({
      code: "FORBIDDEN",
      message: "Sign in again to create an API key: your sign-in is older than 10 minutes",
    });
    expect(await rejection(keys.rotate({ id }))).toEqual({
      code: "FORBIDDEN",
      message: "Sign in again to replace an API key: your sign-in is older than 10 minutes",
    });
    expect(await keys.delete({ id })).toEqual({ id, deleted: true });
    const again = await core.sessions.create(owner.id);
    await core.caller((await core.credentials.bySession(again.token)) as Actor).keys.create();
  });
});

describe("the keys of an account that moved to a smaller plan", () => {
  it("stop if they were made over the API, and work again on the old plan", async () => {
    const owner = await actor("enterprise");
    const { email } = owner.account;
    const { keys } = core.caller(owner);
    const made = await keys.create();
    const operators = await core.keys.issue(owner.account.id, "Operator's");
    const second = await core.keys.issue(owner.account.id, "Operator's");
    const replaced = await keys.rotate({ id: second.id });
    for (const plan of ["free", "pro"]) {
      await core.accounts.setPlan(email, plan);
      for (const { key } of [made, replaced]) {
        expect(await rejection(core.credentials.byKey(key))).toEqual({
          code: "FORBIDDEN",
          message:
            "The account's plan no longer includes this API key: it works again on the Enterprise plan",
        });
      }
      expect(await core.credentials.byKey(operators.key)).toMatchObject({ account: { plan } });
    }
    await core.accounts.setPlan(email, "enterprise");
    expect(await core.credentials.byKey(made.key)).not.toBeNull();
  });

  it("can be listed and revoked on every plan, for the account's own keys only", async () => {
    const owner = await account("enterprise");
    const { key, ...leaked } = await core
      .caller({ kind: "account", account: owner, credential: "internal" })
      .keys.create();
    const stranger = core.caller(await actor("free")).keys;
    await core.accounts.setPlan(owner.email, "free");
    const { token } = await core.sessions.create(owner.id);
    const mine = core.caller((await core.credentials.bySession(token)) as Actor).keys;
    expect(await mine.listOwn()).toEqual([leaked]);
    expect((await rejection(stranger.deleteOwn({ id: leaked.id }))).code).toBe("NOT_FOUND");
    expect(await mine.deleteOwn({ id: leaked.id })).toEqual({ id: leaked.id, deleted: true });
    expect(await core.credentials.byKey(key)).toBeNull();
  });
});

it("a key from before keys had limits keeps all rights", async () => {
  const { id } = await account("free");
  const { key, id: keyId } = await core.keys.issue(id);
  const { rows } = await depsOf(core).pool.query(
    "select scopes, expires_at, replaced_at, made_over_api from api_keys where id = $1",
    [keyId],
  );
  expect(rows).toEqual([{ scopes: null, expires_at: null, replaced_at: null, made_over_api: false }]);
  expect(await callerBy(key)).toBeDefined();
});
