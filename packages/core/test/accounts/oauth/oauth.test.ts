import { afterAll, describe, expect, it } from "vitest";
import { deleteExpired } from "../../../src/accounts/oauth/connection.row.ts";
import { type Account, type Actor, scopes } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection, unknownId } from "../../helpers.ts";

const start = Date.now();
let now = new Date(start);
const after = (ms: number) => (now = new Date(start + ms));
const day = 86_400_000;
const test = await createTestCore({ clock: () => now });
afterAll(test.close);
const { core } = test;
const { store } = core.oauth;
const resource = "http://mcp.test/mcp";
let count = 0;

/** A connection with an access token, as the authorization server makes them. */
async function connected(account: Account, granted = "links:read account", lifetime = 3600) {
  const id = await core.oauth.connect({
    account,
    user_id: account.id,
    client_id: "https://program.example/client.json",
    client_name: "Program",
    client_host: "program.example",
    resource,
    scopes: scopes.filter((scope) => granted.split(" ").includes(scope)),
  });
  const token = String((count += 1)).padStart(43, "a");
  await store.upsert("AccessToken", token, { grantId: id, aud: resource, scope: granted }, lifetime);
  const actor = () => core.credentials.byToken(token, resource);
  const caller = async () => core.caller((await actor()) as Actor);
  return { id, token, actor, caller };
}
const callerOf = (account: Account) => core.caller({ kind: "account", account, credential: "internal" });

describe("an access token", () => {
  it("acts for its account with its scopes only, for its audience only, until it expires", async () => {
    after(0);
    const account = await test.account("pro");
    const { token, actor, caller, id } = await connected(account);
    expect(await actor()).toMatchObject({
      account: { id: account.id },
      credential: "key",
      key: { id, name: "Program", is_connection: true, scopes: ["links:read", "account"] },
    });
    expect(await core.credentials.byToken(token, "http://api.test")).toBeNull();
    expect(await core.credentials.byKey(token)).toBeNull();
    expect(await rejection((await caller()).links.create({ url: "https://example.com/" }))).toEqual({
      code: "FORBIDDEN",
      message: "This connection needs the scope links:write",
    });
    after(3600_000 - 1);
    expect(await actor()).not.toBeNull();
    after(3600_000);
    expect(await actor()).toBeNull();
  });

  it("makes keys that work no longer once its connection was ended, also those that they made or replaced", async () => {
    after(0);
    const account = await test.account("enterprise");
    const { id, caller } = await connected(account, "keys");
    const ofKey = async (key: string) => core.caller((await core.credentials.byKey(key)) as Actor);
    const own = await callerOf(account).keys.create({ name: "own", scopes: ["keys"] });
    const made = await (await caller()).keys.create({ name: "made" });
    const second = await (await ofKey(made.key)).keys.create({ name: "by the made one" });
    const rotated = await (await ofKey(own.key)).keys.rotate({ id: second.id });
    const mine = await callerOf(account).keys.create({
      name: "mine",
      scopes: ["keys"],
      expires_at: made.expires_at!,
    });
    const taken = await (await caller()).keys.rotate({ id: mine.id, overlap_hours: 0 });
    for (const { key } of [made, second, rotated, taken, own])
      expect(await core.credentials.byKey(key)).not.toBeNull();
    await callerOf(account).connections.delete({ id });
    for (const { key } of [made, second, rotated, taken])
      expect(await core.credentials.byKey(key)).toBeNull();
    expect(await core.credentials.byKey(own.key)).not.toBeNull();
  });

  it("works no longer once its connection was ended, and so do all its others", async () => {
    after(0);
    const account = await test.account("pro");
    const [one, other] = [await connected(account), await connected(account)];
    const { connections } = callerOf(account);
    expect((await connections.list()).map(({ id }) => id)).toEqual([other.id, one.id]);
    expect(await connections.delete({ id: one.id })).toEqual({ id: one.id, deleted: true });
    expect([await one.actor(), await other.actor()]).toEqual([null, expect.anything()]);
    expect((await callerOf(account).activity.list({})).data[0]).toMatchObject({
      action: "connection_ended",
      about: "Program (program.example)",
    });
    const stranger = callerOf(await test.account("pro")).connections;
    expect((await rejection(stranger.delete({ id: other.id }))).code).toBe("NOT_FOUND");
    const { sessions } = await other.caller();
    expect(await sessions.endAll({ connections: true })).toMatchObject({ connections_ended: 1 });
    expect(await other.actor()).toBeNull();
  });

  it("is refused while its account is suspended or being deleted", async () => {
    after(0);
    const account = await test.account("pro");
    const { actor } = await connected(account);
    await core.accounts.suspend(account.id, "spam");
    expect((await rejection(actor())).message).toContain("suspended");
    expect(await core.oauth.account(account.id)).toBeNull();
    await core.accounts.resume(account.id);
    await depsOf(core).pool.query("update users set deletes_at = $2 where id = $1", [account.id, now]);
    expect((await rejection(actor())).message).toContain("being deleted");
    expect(await core.oauth.account(account.id)).toBeNull();
  });

  it("makes no API key that lives longer than itself, and none that can do more", async () => {
    after(0);
    const { caller } = await connected(await test.account("enterprise"), "keys links:read");
    const { keys } = await caller();
    expect((await keys.create()).expires_at).toBe(new Date(start + 3600_000).toISOString());
    expect((await rejection(keys.create({ scopes: ["account"] }))).code).toBe("FORBIDDEN");
  });

  it("records its last use by the minute", async () => {
    after(0);
    const account = await test.account("pro");
    const { actor } = await connected(account);
    const seen = async () => (await callerOf(account).connections.list())[0]?.last_used_at;
    expect(await seen()).toBeNull();
    await actor();
    after(59_000);
    await actor();
    expect(await seen()).toBe(new Date(start).toISOString());
    after(61_000);
    await actor();
    expect(await seen()).toBe(new Date(start + 61_000).toISOString());
  });
});

describe("the store", () => {
  it("keeps no token or code as it is", async () => {
    const secret = "s".repeat(43);
    for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode"] as const) {
      await store.upsert(kind, secret, { jti: secret, accountId: unknownId }, 60);
      expect(await store.find(kind, secret)).toMatchObject({ jti: secret });
    }
    const { rows } = await depsOf(core).pool.query("select t::text as text from oauth_tokens t");
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("lets a code be used once, however many ask at the same time", async () => {
    await store.upsert("AuthorizationCode", "once", {}, 60);
    const uses = await Promise.all(
      Array.from({ length: 8 }, () => store.consume("AuthorizationCode", "once")),
    );
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await store.find("AuthorizationCode", "once")).toMatchObject({ consumed: expect.any(Number) });
    expect(await store.consume("AuthorizationCode", "never")).toBe(false);
  });

  it("finds nothing by ids that cannot be any", async () => {
    for (const id of ["", "\0", "x".repeat(1000), "'; drop table users; --"])
      for (const kind of ["Client", "Grant", "AccessToken", "Session"] as const)
        expect(await store.find(kind, id)).toBeUndefined();
  });
});

describe("what has expired", () => {
  it("is deleted: tokens after an hour, connections without tokens after a day, clients that nobody let in", async () => {
    after(0);
    const account = await test.account("pro");
    const { id } = await connected(account);
    await core.oauth.store.upsert("Client", "unused", {}, undefined);
    await core.oauth.store.upsert("Client", "used", {}, undefined);
    await core.oauth.connect({
      account,
      user_id: account.id,
      client_id: "used",
      client_name: "Used",
      client_host: null,
      resource,
      scopes: ["links:read"],
    });
    const left = async () => ({
      connections: (await callerOf(account).connections.list()).map(({ client_name }) => client_name),
      token: Boolean(await store.find("AccessToken", String(count).padStart(43, "a"))),
      clients: [Boolean(await store.find("Client", "unused")), Boolean(await store.find("Client", "used"))],
    });
    after(2 * 3600_000);
    await deleteExpired(depsOf(core));
    expect(await left()).toEqual({ connections: ["Used", "Program"], token: true, clients: [true, true] });
    after(2 * 3600_000 + 1);
    await deleteExpired(depsOf(core));
    expect(await left()).toEqual({ connections: ["Used", "Program"], token: false, clients: [true, true] });
    await store.upsert("RefreshToken", "keeps it", { grantId: id }, 30 * 86_400);
    after(day + 1);
    await deleteExpired(depsOf(core));
    expect(await left()).toEqual({ connections: ["Program"], token: false, clients: [false, true] });
    after(181 * day);
    await deleteExpired(depsOf(core));
    expect(await left()).toMatchObject({ connections: [], clients: [false, false] });
  });

  it("makes room when an account has connected more than a hundred programs", async () => {
    after(0);
    const account = await test.account("pro");
    const { actor } = await connected(account);
    for (let more = 0; more < 100; more++) {
      after(1000 + more);
      await connected(account);
      if (more === 50) await actor();
    }
    expect(await callerOf(account).connections.list()).toHaveLength(100);
    expect(await actor()).not.toBeNull();
  });
});
