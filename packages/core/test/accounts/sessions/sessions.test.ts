import { afterAll, describe, expect, it } from "vitest";
import type { Account, Actor } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({ clock: () => now });
afterAll(close);
const day = 24 * 3600 * 1000;
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

async function signIn({ id }: Account) {
  const session = await core.sessions.create(id);
  const actor = await core.credentials.bySession(session.token);
  return { ...session, caller: core.caller(actor as Actor) };
}

describe("the list of sessions", () => {
  it("contains the account's own, newest first, and marks the current one", async () => {
    const owner = await account();
    const [laptop, _stranger] = [await signIn(owner), await signIn(await account())];
    const begun = now.toISOString();
    later(90_000);
    const phone = await signIn(owner);
    await core.credentials.bySession(laptop.token);
    expect(await laptop.caller.sessions.list()).toEqual([
      {
        id: phone.id,
        current: false,
        created_at: now.toISOString(),
        last_seen_at: now.toISOString(),
        expires_at: new Date(now.getTime() + 90 * day).toISOString(),
      },
      {
        id: laptop.id,
        current: true,
        created_at: begun,
        last_seen_at: now.toISOString(),
        expires_at: laptop.expires_at,
      },
    ]);
    expect(await phone.caller.sessions.list()).toMatchObject([{ current: true }, { current: false }]);
  });

  it("marks none for a caller with an API key", async () => {
    const owner = await account();
    await signIn(owner);
    const actor = { kind: "account", account: owner, credential: "key" } as const;
    expect(await core.caller(actor).sessions.list()).toMatchObject([{ current: false }]);
  });

  it("leaves out expired sessions", async () => {
    const owner = await account();
    await signIn(owner);
    later(14 * day);
    const { id, caller } = await signIn(owner);
    expect((await caller.sessions.list()).map((session) => session.id)).toEqual([id]);
  });
});

describe("ending sessions", () => {
  it("one by one keeps the others", async () => {
    const owner = await account();
    const [laptop, phone] = [await signIn(owner), await signIn(owner)];
    expect(await laptop.caller.sessions.end({ id: phone.id })).toEqual({ id: phone.id, deleted: true });
    expect(await core.credentials.bySession(phone.token)).toBeNull();
    expect(await core.credentials.bySession(laptop.token)).not.toBeNull();
    expect(await rejection(laptop.caller.sessions.end({ id: phone.id }))).toEqual({
      code: "NOT_FOUND",
      message: "Session not found",
    });
  });

  it("everywhere includes the calling one, and no other account's", async () => {
    const owner = await account();
    const [laptop, phone] = [await signIn(owner), await signIn(owner)];
    const stranger = await signIn(await account());
    expect(await laptop.caller.sessions.endAll()).toEqual({
      ended: 2,
      keys_revoked: 0,
      connections_ended: 0,
    });
    for (const { token } of [laptop, phone]) expect(await core.credentials.bySession(token)).toBeNull();
    expect(await core.credentials.bySession(stranger.token)).not.toBeNull();
    expect(await laptop.caller.sessions.endAll()).toEqual({
      ended: 0,
      keys_revoked: 0,
      connections_ended: 0,
    });
  });

  it("everywhere else keeps the calling one", async () => {
    const owner = await account();
    const [laptop, phone] = [await signIn(owner), await signIn(owner)];
    expect(await laptop.caller.sessions.endAll({ others: true })).toEqual({
      ended: 1,
      keys_revoked: 0,
      connections_ended: 0,
    });
    expect(await core.credentials.bySession(laptop.token)).not.toBeNull();
    expect(await core.credentials.bySession(phone.token)).toBeNull();
  });

  it("everywhere revokes the account's API keys on request", async () => {
    const [owner, other] = [await account("free"), await account("free")];
    const { caller, token } = await signIn(owner);
    const keys = [await core.keys.issue(owner.id), await core.keys.issue(owner.id)];
    const stranger = await core.keys.issue(other.id);
    expect(await caller.sessions.endAll({ keys: false })).toEqual({
      ended: 1,
      keys_revoked: 0,
      connections_ended: 0,
    });
    expect(await core.credentials.bySession(token)).toBeNull();
    const byKey = (await core.credentials.byKey(keys[0]?.key ?? "")) as Actor;
    expect(await core.caller(byKey).sessions.endAll({ keys: true })).toEqual({
      ended: 0,
      keys_revoked: 2,
      connections_ended: 0,
    });
    for (const { key } of keys) expect(await core.credentials.byKey(key)).toBeNull();
    expect(await core.credentials.byKey(stranger.key)).not.toBeNull();
  });

  it("everywhere revokes no keys for a key that may not manage them", async () => {
    const owner = await account("free");
    const { key } = await core.keys.issue(owner.id, "Limited", { scopes: ["account"] });
    const { sessions } = core.caller((await core.credentials.byKey(key)) as Actor);
    expect(await rejection(sessions.endAll({ keys: true }))).toEqual({
      code: "FORBIDDEN",
      message: "This API key needs the scope keys",
    });
    expect(await sessions.endAll()).toEqual({ ended: 0, keys_revoked: 0, connections_ended: 0 });
  });
});

describe("an expired session", () => {
  const stored = async (ids: string[]) =>
    (await depsOf(core).pool.query("select id from sessions where id = any($1)", [ids])).rowCount;

  it("is deleted at a login: the account's own if idle, any account's after 90 days", async () => {
    const [one, other] = [await account(), await account()];
    const [idle, stranger] = [await signIn(one), await signIn(other)];
    later(14 * day);
    await signIn(one);
    expect(await stored([idle.id])).toBe(0);
    expect(await stored([stranger.id])).toBe(1);
    later(76 * day);
    await signIn(one);
    expect(await stored([stranger.id])).toBe(0);
  });
});
