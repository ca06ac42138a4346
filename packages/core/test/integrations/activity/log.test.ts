import { parse } from "csv-parse/sync";
import { afterAll, expect, it } from "vitest";
import type { LoggedActivity } from "../../../src/accounts/activity/activity.schema.ts";
import type { Account, Actor, FileReply } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, url } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({
  clock: () => (now = new Date(now.getTime() + 1000)),
});
afterAll(close);
const deps = depsOf(core);
const source = { address: "203.0.113.77", user_agent: "curl/8.5.0" };

/** Somebody who is signed in, from an address. */
async function person() {
  const owner = await account("enterprise");
  const session = await core.sessions.create(owner.id, { way: "google", source });
  const actor = (await core.credentials.bySession(session.token, source)) as Actor;
  return { owner, session, actor, caller: core.caller(actor) };
}

const linesOf = (entries: readonly LoggedActivity[]) =>
  entries.map(({ action, actor, target }) => [action, actor.kind, target.kind, target.name]);

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

it("has who did what to what, with values before and after, links and their creation included", async () => {
  const { owner, session, caller } = await person();
  const link = await caller.links.create({ url, slug: "logged-one", tags: ["Spring"] });
  await caller.links.update({ id: link.id, title: "New", password: "open sesame" });
  const webhook = await caller.webhooks.create({
    url: "https://one.invalid/secret",
    events: ["link.created"],
  });
  await caller.webhooks.update({ id: webhook.id, url: "https://two.invalid/secret", active: false });
  const page = await caller.buckets.create({ name: "Page", links: [{ title: "One", url }] });
  await caller.buckets.update({ id: page.id, name: "Other page" });
  await caller.buckets.delete({ id: page.id });
  const [tag] = await caller.tags.list({});
  await caller.tags.rename({ id: tag?.id ?? "", name: "Summer" });
  await caller.links.delete({ id: link.id });

  const { data, meta } = await caller.audit.list({});
  expect(linesOf(data)).toEqual([
    ["link_deleted", "user", "link", "logged-one"],
    ["tag_renamed", "user", "tag", "Summer"],
    ["link_changed", "user", "link", "logged-one"],
    ["bucket_deleted", "user", "bucket", "Other page"],
    ["bucket_changed", "user", "bucket", "Other page"],
    ["bucket_created", "user", "bucket", "Page"],
    ["webhook_changed", "user", "webhook", "two.invalid"],
    ["webhook_created", "user", "webhook", "one.invalid"],
    ["link_changed", "user", "link", "logged-one"],
    ["link_created", "user", "link", "logged-one"],
    ["signed_in", "user", "session", null],
  ]);
  expect(meta).toEqual({ page: 1, limit: 50, total: 11, total_pages: 1 });
  const who = { kind: "user", id: owner.id, name: owner.name, user_id: owner.id };
  for (const { actor, action } of data)
    expect(actor, action).toEqual({ ...who, session_id: action === "link_created" ? null : session.id });
  const addresses = new Set(data.map(({ address, action }) => [action === "link_created", address].join()));
  expect([...addresses].toSorted()).toEqual(["false,203.0.113.0/24", "true,"]);
  const fieldsOf = (at: number) => data[at]?.details.fields;
  expect(fieldsOf(1)).toEqual({ name: { from: "Spring", to: "Summer" } });
  expect(fieldsOf(4)).toEqual({ name: { from: "Page", to: "Other page" } });
  expect(fieldsOf(6)).toEqual({
    host: { from: "one.invalid", to: "two.invalid" },
    active: { from: true, to: false },
  });
  expect(fieldsOf(8)).toEqual({ title: { from: null, to: "New" }, password: { from: null, to: "***" } });
  expect(fieldsOf(9)).toMatchObject({ destination: { from: null, to: url } });
  expect(JSON.stringify(data)).not.toContain("secret");
});

it("has no entries of another workspace, and pages and counts what a filter selects", async () => {
  const { caller, owner, actor } = await person();
  await (await person()).caller.links.create({ url });
  for (let count = 0; count < 3; count++) await caller.links.create({ url });
  const key = await caller.keys.create({ name: "laptop" });
  const byKey = core.caller((await core.credentials.byKey(key.key, source)) as Actor);
  const link = await byKey.links.create({ url });
  await byKey.links.update({ id: link.id, title: "By key" });
  await core.moderation.disableLink(link.id, "phishing");
  expect((actor as { account: Account }).account.id).toBe(owner.id);

  const actionsOf = async (filter: Parameters<typeof caller.audit.list>[0]) =>
    (await caller.audit.list(filter)).data.map(({ action }) => action);
  const all = await actionsOf({});
  expect(all).toHaveLength(9);
  expect([...(await actionsOf({ limit: 5 })), ...(await actionsOf({ limit: 5, page: 2 }))]).toEqual(all);
  expect(await actionsOf({ limit: 5, page: 3 })).toEqual([]);
  expect(await actionsOf({ action: "link_created" })).toEqual(
    Array.from({ length: 4 }, () => "link_created"),
  );
  expect(await actionsOf({ action: ["key_created", "link_disabled"] })).toEqual([
    "link_disabled",
    "key_created",
  ]);
  expect(await actionsOf({ actor: "operator" })).toEqual(["link_disabled"]);
  expect(await actionsOf({ actor: key.id })).toEqual(["link_changed", "link_created", "key_first_used"]);
  expect(await actionsOf({ actor: "key" })).toEqual(["link_changed", "link_created", "key_first_used"]);
  expect(await actionsOf({ actor: owner.id })).toHaveLength(7);
  expect(await actionsOf({ actor: "visitor" })).toEqual([]);
  const { data } = await caller.audit.list({});
  const [from, to] = [data[6]?.at ?? "", data[2]?.at ?? ""];
  expect(await actionsOf({ from, to })).toEqual(all.slice(3, 7));
  expect((await caller.audit.list({ from, to, limit: 1 })).meta.total).toBe(4);
  expect(data[1]).toMatchObject({
    action: "link_changed",
    actor: { kind: "key", id: key.id, name: "laptop", session_id: null },
    target: { id: link.id },
    address: "203.0.113.0/24",
  });
});

it("an export has the entries of the list, and no cell is run as a formula", async () => {
  const { caller } = await person();
  for (const name of ["=1+1", "plain"]) await caller.alerts.create({ kind: "silence", hours: 24, name });
  await caller.links.create({ url, slug: "logged-two" });
  const { data } = await caller.audit.list({});
  const json = await caller.audit.export({ format: "json" });
  expect(json).toMatchObject({ content_type: "application/json; charset=utf-8", disposition: "attachment" });
  expect(JSON.parse(await textOf(json))).toEqual(data);
  const rows = parse<Record<string, string>>(await textOf(await caller.audit.export({})), { columns: true });
  expect(rows.map(({ action, target_name }) => [action, target_name])).toEqual([
    ["link_created", "logged-two"],
    ["alert_created", "plain"],
    ["alert_created", "'=1+1"],
    ["signed_in", ""],
  ]);
  expect(JSON.parse(rows[1]?.["fields"] ?? "")).toEqual(data[1]?.details.fields);
  expect(rows[1]).toMatchObject({
    previous_hash: data[1]?.previous_hash,
    address: "203.0.113.0/24",
    count: "1",
  });
  expect(await textOf(await caller.audit.export({ action: "alert_changed" }))).toMatch(
    /^id,at,[a-z_,]+\r\n$/,
  );
});

it("in a shared workspace, names who did what, where that is known, and what members were given", async () => {
  const { caller: owners, session, owner } = await person();
  const joiner = await person();
  const { id, slug } = await owners.workspaces.create({ name: "Acme", slug: "acme-log" });
  await deps.pool.query("update workspaces set plan = 'enterprise' where id = $1", [id]);
  const actor = await core.credentials.bySession(session.token, { ...source, workspace: slug ?? "" });
  const caller = core.caller(actor as Actor);
  const link = await caller.links.create({ url, slug: "logged-shared" });
  await caller.links.update({ id: link.id, title: "New" });
  const invitation = await caller.invitations.create({ role: "viewer" });
  const joined = { id: joiner.owner.id, email: joiner.owner.email };
  await joiner.caller.invitations.accept({ token: invitation.url.split("/").at(-1) ?? "" });
  await caller.members.update({ user_id: joined.id, role: "editor" });
  await caller.workspaces.transfer({ id, user_id: joined.id });

  const { data } = await caller.audit.list({});
  expect(data.map(({ action, actor: by, target }) => [action, by.id, by.name, target])).toEqual([
    ["ownership_offered", owner.id, owner.name, { kind: "member", id: joined.id, name: joined.email }],
    ["member_changed", owner.id, owner.name, { kind: "member", id: joined.id, name: joined.email }],
    ["member_added", joined.id, joiner.owner.name, { kind: "member", id: joined.id, name: joined.email }],
    ["invitation_created", owner.id, owner.name, { kind: "invitation", id: invitation.id, name: "a link" }],
    ["link_changed", owner.id, owner.name, { kind: "link", id: link.id, name: "logged-shared" }],
    ["link_created", owner.id, owner.name, { kind: "link", id: link.id, name: "logged-shared" }],
    ["workspace_created", owner.id, owner.name, { kind: "workspace", id, name: "Acme" }],
  ]);
  expect(data[1]?.details.fields).toEqual({ role: { from: "viewer", to: "editor" } });
  expect((await caller.audit.list({ actor: id })).data).toEqual([]);
  await deps.pool.query("update changes set user_id = null where account_id = $1", [id]);
  const [old] = (await caller.audit.list({ action: "link_changed" })).data;
  expect(old?.actor).toMatchObject({ kind: "user", id: null, user_id: null });
});

it("a change of many links is one entry with their number", async () => {
  const { caller } = await person();
  const links = Array.from({ length: 20 }, (_, at) => ({ url: `${url}${at}` }));
  const { results } = await caller.links.bulkCreate({ links, on_error: "stop" });
  const ids = results.flatMap(({ id }) => id ?? []);
  await caller.links.bulkUpdate({ ids, set: { title: "All" } });
  const { data } = await caller.audit.list({ action: "link_changed" });
  expect(data).toMatchObject([
    {
      target: { kind: "link", id: null, name: null },
      details: { count: 20, fields: { title: { from: null, to: "All" } } },
    },
  ]);
});

it("long values are shortened", async () => {
  const { caller } = await person();
  const { id } = await caller.links.create({ url });
  await caller.links.update({ id, notes: "x".repeat(2000) });
  const { data } = await caller.audit.list({ limit: 1 });
  expect(String(data[0]?.details.fields["notes"]?.to)).toHaveLength(501);
});

it("webhooks receive what is recorded, in order, and nothing of others", async () => {
  const { caller, owner } = await person();
  await caller.webhooks.create({ url: "https://one.invalid/", events: ["activity.created"] });
  const key = await caller.keys.create({ name: "laptop" });
  await caller.keys.delete({ id: key.id });
  await (await person()).caller.keys.create({ name: "other" });
  const { rows } = await deps.pool.query<{ type: string; action: string }>(
    `select type, subject -> 'line' ->> 'action' as action from webhook_events
     where account_id = $1 order by id`,
    [owner.id],
  );
  expect(rows).toEqual(
    ["webhook_created", "key_created", "key_revoked"].map((action) => ({ type: "activity.created", action })),
  );
});
