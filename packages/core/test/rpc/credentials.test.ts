import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PersonalAccount } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, named, rejection } from "../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const { core, account, close } = await createTestCore({ clock: () => now });
afterAll(close);
const second = 1000;
const day = 24 * 3600 * second;

const garbage = named([
  "",
  " ",
  "terse_",
  "terse_unknown",
  `terse_${"A".repeat(43)}`,
  "a\0b",
  "\uD800",
  "ключ",
  "'; drop table api_keys; --",
  "x".repeat(10_000_000),
]);

const workspaceOf = ({ id, name, plan }: PersonalAccount) => ({ id, name, plan });
const personOf = ({ id, email, name }: PersonalAccount) => ({ id, email, name });

describe("an API key", () => {
  it.each(garbage)("that was never issued is unknown: %s", async (_, key) => {
    expect(await core.credentials.byKey(key)).toBeNull();
  });

  it("belongs to its account", async () => {
    const owner = await account("pro");
    const { id, key } = await core.keys.issue(owner.id);
    expect(await core.credentials.byKey(key)).toEqual({
      kind: "account",
      account: workspaceOf(owner),
      slug: null,
      user: personOf(owner),
      role: "owner",
      credential: "key",
      key: { id, name: "API key", scopes: null, expires_at: null },
    });
  });

  it("is compared exactly", async () => {
    const { key } = await core.keys.issue((await account()).id);
    for (const other of [
      key.toUpperCase(),
      ` ${key}`,
      `${key} `,
      key.slice(0, -1),
      `${key}A`,
      key.slice(6),
    ]) {
      expect(await core.credentials.byKey(other)).toBeNull();
    }
  });

  it("records its last use, at most once a minute", async () => {
    const { id, key } = await core.keys.issue((await account("enterprise")).id);
    const lastUse = async () =>
      (await depsOf(core).pool.query("select last_used_at from api_keys where id = $1", [id])).rows[0]
        ?.last_used_at;
    const iso = async () => new Date(await lastUse()).toISOString();

    expect(await lastUse()).toBeNull();
    const first = now.toISOString();
    await core.credentials.byKey(key);
    expect(await iso()).toBe(first);
    later(60 * second);
    await core.credentials.byKey(key);
    expect(await iso()).toBe(first);
    later(1);
    await core.credentials.byKey(key);
    expect(await iso()).toBe(now.toISOString());
  });

  it("shows its last use in the list of keys", async () => {
    const owner = await account("enterprise");
    const { key } = await core.keys.issue(owner.id);
    await core.credentials.byKey(key);
    const actor = { kind: "account", account: owner, credential: "key" } as const;
    expect(await core.caller(actor).keys.list()).toMatchObject([{ last_used_at: now.toISOString() }]);
  });
});

describe("an API key with limits", () => {
  it("has its scopes, and is refused from its expiry on", async () => {
    const owner = await account("free");
    const expires_at = new Date(now.getTime() + 1500);
    const { id, key } = await core.keys.issue(owner.id, "Short", {
      scopes: ["account", "links:read"],
      expires_at: expires_at.toISOString(),
    });
    const limits = { id, scopes: ["links:read", "account"], expires_at };
    expect(await core.credentials.byKey(key)).toMatchObject({ account: workspaceOf(owner), key: limits });
    later(1499);
    expect(await core.credentials.byKey(key)).toMatchObject({ key: limits });
    later(1);
    expect(await rejection(core.credentials.byKey(key))).toEqual({
      code: "UNAUTHORIZED",
      message: "The API key has expired: create another one",
    });
  });

  it("is read with one statement", async () => {
    const { pool } = depsOf(core);
    const { key } = await core.keys.issue((await account()).id, "One", { scopes: ["keys"] });
    await core.credentials.byKey(key);
    const query = vi.spyOn(pool, "query");
    onTestFinished(() => query.mockRestore());
    await core.credentials.byKey(key);
    expect(query).toHaveBeenCalledTimes(1);
  });
});

describe("a session", () => {
  it.each(garbage)("that never existed is unknown: %s", async (_, token) => {
    expect(await core.credentials.bySession(token)).toBeNull();
    expect(await core.sessions.end(token)).toBe(false);
  });

  it("belongs to its account until it is ended", async () => {
    const owner = await account("free");
    const { id, token, expires_at } = await core.sessions.create(owner.id);
    expect(expires_at).toBe(new Date(now.getTime() + 90 * day).toISOString());
    expect(await core.credentials.bySession(token)).toEqual({
      kind: "account",
      account: workspaceOf(owner),
      slug: null,
      user: personOf(owner),
      role: "owner",
      credential: "session",
      session_id: id,
      authenticated_at: now,
    });
    expect(await core.sessions.end(token)).toBe(true);
    expect(await core.credentials.bySession(token)).toBeNull();
    expect(await core.sessions.end(token)).toBe(false);
  });

  it("ends without the account's other sessions", async () => {
    const { id } = await account();
    const [one, two] = [await core.sessions.create(id), await core.sessions.create(id)];
    expect(one.token).not.toBe(two.token);
    await core.sessions.end(one.token);
    expect(await core.credentials.bySession(two.token)).not.toBeNull();
  });

  it("lasts exactly 90 days, however often it is used", async () => {
    const { token } = await core.sessions.create((await account()).id);
    for (let week = 0; week < 12; week++) {
      later(7 * day);
      expect(await core.credentials.bySession(token)).not.toBeNull();
    }
    later(6 * day - 1);
    expect(await core.credentials.bySession(token)).not.toBeNull();
    later(1);
    expect(await core.credentials.bySession(token)).toBeNull();
  });

  it("lasts exactly 14 days without use", async () => {
    const { id } = await account();
    const [one, two] = [await core.sessions.create(id), await core.sessions.create(id)];
    later(14 * day - 1);
    expect(await core.credentials.bySession(one.token)).not.toBeNull();
    later(1);
    expect(await core.credentials.bySession(two.token)).toBeNull();
    expect(await core.credentials.bySession(one.token)).not.toBeNull();
  });

  it("records when it was last seen, at most once a minute", async () => {
    const { id, token } = await core.sessions.create((await account()).id);
    const begun = now.toISOString();
    const lastSeen = async () => {
      const { rows } = await depsOf(core).pool.query("select last_seen_at from sessions where id = $1", [id]);
      return new Date(rows[0]?.last_seen_at).toISOString();
    };
    later(60 * second);
    await core.credentials.bySession(token);
    expect(await lastSeen()).toBe(begun);
    later(1);
    await core.credentials.bySession(token);
    expect(await lastSeen()).toBe(now.toISOString());
  });

  it("is no API key, and an API key is no session", async () => {
    const { id } = await account();
    const [{ token }, { key }] = [await core.sessions.create(id), await core.keys.issue(id)];
    expect(await core.credentials.byKey(token)).toBeNull();
    expect(await core.credentials.bySession(key)).toBeNull();
  });
});

describe("a removed account", () => {
  it("loses its keys, sessions and links", async () => {
    const { id } = await account("enterprise");
    const [{ token }, { key }] = [await core.sessions.create(id), await core.keys.issue(id)];
    await depsOf(core).pool.query("delete from users where id = $1", [id]);
    expect(await core.credentials.byKey(key)).toBeNull();
    expect(await core.credentials.bySession(token)).toBeNull();
  });
});
