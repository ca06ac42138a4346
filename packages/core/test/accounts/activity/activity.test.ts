import { afterAll, describe, expect, it } from "vitest";
import { operatorActor, recordActivity, visitorActor } from "../../../src/accounts/activity/record.ts";
import type { Account, Actor, CoreEvent, Identity } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const events: CoreEvent[] = [];
const { core, account, close } = await createTestCore({
  clock: () => now,
  onEvent: (event) => events.push(event),
});
afterAll(close);
const deps = depsOf(core);
const hour = 3_600_000;
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const activityOf = (owner: Account, page: { page?: number; limit?: number } = {}) =>
  core.caller({ kind: "account", account: owner, credential: "internal" }).activity.list(page);
const linesOf = (owner: Account) => events.filter((event) => event["account"] === owner.id);

describe("the activity of an account", () => {
  it("has who did what, when and from where, newest first", async () => {
    const owner = await account();
    const source = { address: "203.0.113.77", user_agent: firefox };
    const session = await core.sessions.create(owner.id, { way: "google", source });
    later(1000);
    const actor = await core.credentials.bySession(session.token, {
      address: "2001:db8:1:2:3:4:5:6",
      user_agent: "curl/8.5.0 (secret details)",
    });
    await core.caller(actor as Actor).sessions.endAll();
    const { data, meta } = await activityOf(owner);
    expect(data).toEqual([
      {
        id: expect.any(String),
        at: "2026-03-01T12:00:01.000Z",
        action: "sessions_ended",
        count: 1,
        by: { kind: "session", id: session.id },
        about: null,
        network: "2001:db8:1::/48",
        client: "curl/8.5.0",
      },
      {
        id: expect.any(String),
        at: "2026-03-01T12:00:00.000Z",
        action: "signed_in",
        count: 1,
        by: { kind: "session", id: session.id },
        about: "google",
        network: "203.0.113.0/24",
        client: "Firefox on Linux",
      },
    ]);
    expect(meta).toEqual({ page: 1, limit: 20, total: 2, total_pages: 1 });
    expect((await activityOf(owner, { page: 2, limit: 1 })).data).toEqual(data.slice(1));
    expect(linesOf(owner)).toMatchObject([
      {
        code: "account_activity",
        level: "info",
        action: "signed_in",
        by: "session",
        about: "google",
        address: "203.0.113.0/24",
        client: "Firefox on Linux",
      },
      { action: "sessions_ended" },
    ]);
  });

  it("has keys that were made, used for the first time and revoked", async () => {
    const owner = await account("enterprise");
    const { key, id, prefix } = await core.keys.issue(owner.id, "laptop");
    const source = { address: "203.0.113.1" };
    const uses = await Promise.all([
      core.credentials.byKey(key, source),
      core.credentials.byKey(key, source),
    ]);
    later(hour);
    await core.credentials.byKey(key, source);
    const made = await core.caller(uses[0] as Actor).keys.create({ name: "phone" });
    await core.caller(uses[0] as Actor).keys.delete({ id });
    await core.keys.revoke(made.id);
    const about = `laptop (${prefix})`;
    const { data } = await activityOf(owner);
    expect(data.map(({ action, about: what, by, network }) => [action, what, by, network])).toEqual([
      ["key_revoked", `phone (${made.prefix})`, { kind: "operator", id: null }, null],
      ["key_revoked", about, { kind: "key", id }, "203.0.113.0/24"],
      ["key_created", `phone (${made.prefix})`, { kind: "key", id }, "203.0.113.0/24"],
      ["key_first_used", about, { kind: "key", id }, "203.0.113.0/24"],
      ["key_created", about, { kind: "operator", id: null }, null],
    ]);
  });

  it("has the operator's changes of the plan", async () => {
    const owner = await account("free");
    await core.accounts.setPlan(owner.email, "pro");
    await core.accounts.setPlan(owner.email, "pro");
    expect((await activityOf(owner)).data).toMatchObject([
      { action: "plan_changed", about: "free to pro", by: { kind: "operator", id: null }, network: null },
    ]);
  });

  it("has what operators do to its sessions, links and itself", async () => {
    const owner = await account("pro");
    const { token } = await core.sessions.create(owner.id, { way: "google" });
    expect(await core.sessions.endAll(owner.id)).toBe(1);
    expect(await core.credentials.bySession(token)).toBeNull();
    const actor = { kind: "account", account: owner, credential: "internal" } as const;
    const { id } = await core.caller(actor).links.create({ url: "https://example.com/" });
    await core.moderation.disableLink(id, "phishing");
    await core.moderation.enableLink(id);
    await core.moderation.deleteLink(id);
    await core.accounts.suspend(owner.id, "spam");
    await core.accounts.resume(owner.id);
    const { data } = await activityOf(owner);
    expect(data.map(({ action, about }) => [action, about])).toEqual([
      ["resumed", null],
      ["suspended", null],
      ["link_deleted", id],
      ["link_enabled", id],
      ["link_disabled", id],
      ["sessions_ended", null],
      ["signed_in", "google"],
    ]);
    expect(data.slice(0, -1).every(({ by }) => by.kind === "operator")).toBe(true);
  });

  it("counts refusals within an hour in one entry and one line", async () => {
    const owner = await account();
    await depsOf(core).pool.query("update users set email_verified = true where id = $1", [owner.id]);
    const attacker: Identity = {
      provider: "loose",
      issuer: "https://loose.example",
      subject: "attacker",
      email: owner.email,
      email_verified: false,
      name: null,
    };
    const attack = () =>
      core.logins.signIn(attacker, { address: "198.51.100.9" }).then(
        () => "signed in",
        () => "refused",
      );
    for (let turn = 0; turn < 5; turn++) expect(await attack()).toBe("refused");
    later(hour);
    expect(await attack()).toBe("refused");
    expect((await activityOf(owner)).data).toMatchObject([
      { action: "sign_in_refused", count: 1 },
      { action: "sign_in_refused", count: 5, network: "198.51.100.0/24", by: { kind: "visitor" } },
    ]);
    expect(linesOf(owner)).toHaveLength(2);
  });

  it("keeps each entry for a year", async () => {
    const [busy, quiet] = [await account(), await account()];
    await recordActivity(deps, operatorActor(quiet.id), "signed_in");
    await recordActivity(deps, visitorActor(busy.id, undefined), "exported");
    await deps.pool.query("update activity set at = now() - interval '364 days' where account_id = $1", [
      quiet.id,
    ]);
    await deps.pool.query("update activity set at = now() - interval '366 days' where account_id = $1", [
      busy.id,
    ]);
    now = new Date();
    await core.chores.run();
    expect((await activityOf(busy)).meta.total).toBe(0);
    expect((await activityOf(quiet)).meta.total).toBe(1);
  });

  it("never fails what it records", async () => {
    const owner = await account();
    await recordActivity({ ...deps, newId: () => "no uuid" }, operatorActor(owner.id), "exported");
    expect(linesOf(owner)).toMatchObject([
      { code: "account_activity" },
      { code: "activity_not_recorded", level: "error", action: "exported" },
    ]);
  });
});

it("reports refused credentials once a second, with their number", async () => {
  later(hour);
  const before = events.length;
  for (let turn = 0; turn < 50; turn++)
    await core.credentials.byKey("terse_wrong", { address: "192.0.2.200", user_agent: "bot" });
  later(1000);
  await core.credentials.bySession("wrong");
  expect(events.slice(before)).toEqual([
    expect.objectContaining({
      code: "credential_refused",
      level: "warn",
      refused: "key",
      count: 1,
      address: "192.0.2.0/24",
      client: "bot",
    }),
    expect.objectContaining({ refused: "session", count: 50, address: null, client: null }),
  ]);
});
