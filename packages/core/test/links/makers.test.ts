import { afterAll, describe, expect, it } from "vitest";
import type { Actor, FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { atOnce, depsOf, rejection, unknownId, url } from "../helpers.ts";
import { callers, createTeam, type TeamCaller } from "../team.ts";

const { core, close, actor } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

type AccountActor = Actor & { kind: "account" };

/** A workspace, and a caller of each member, signed in. */
async function team() {
  const { id, people } = await createTeam(core);
  const actorOf = async (caller: TeamCaller) => {
    const { token } = await core.sessions.create(people[caller].id, { way: "test" });
    const workspace = caller === "stranger" ? undefined : id;
    return (await core.credentials.bySession(token, { workspace })) as AccountActor;
  };
  const actors = Object.fromEntries(
    await Promise.all(callers.map(async (caller) => [caller, await actorOf(caller)])),
  ) as Record<TeamCaller, AccountActor>;
  const as = (caller: TeamCaller) => core.caller(actors[caller]);
  const maker = (caller: TeamCaller) => ({ id: people[caller].id, name: actors[caller].user?.name });
  const leave = (caller: TeamCaller) =>
    pool.query("delete from members where workspace_id = $1 and user_id = $2", [id, people[caller].id]);
  return { id, actors, as, maker, leave };
}

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

const forbidden = expect.objectContaining({ code: "FORBIDDEN" });
const notAMember = expect.objectContaining({
  code: "BAD_REQUEST",
  message: expect.stringContaining("member"),
});

describe("what a member makes", () => {
  it("has the person as its maker: links, pages, webhooks and keys", async () => {
    const { as, maker } = await team();
    const admin = as("admin");
    const link = await admin.links.create({ url });
    const page = await admin.buckets.create({ name: "Page", links: [{ title: "One", url }] });
    const webhook = await admin.webhooks.create({ url: "https://one.invalid/", events: ["link.created"] });
    const made = [
      link,
      await as("viewer").links.get({ id: link.id }),
      page,
      await as("viewer").buckets.get({ id: page.id }),
      webhook,
      await as("owner").webhooks.get({ id: webhook.id }),
      await admin.keys.create({ name: "Key" }),
      ...(await as("owner").keys.list({})),
    ];
    for (const { created_by } of made) expect(created_by).toEqual(maker("admin"));
    const csv = await textOf(await admin.links.export({ format: "csv" }));
    expect(csv.split("\r\n")[1]).toContain(`,${maker("admin").name},`);
  });

  it("is the person's who made the key or started the job", async () => {
    const { as, maker } = await team();
    const { key } = await as("admin").keys.create({ name: "Key" });
    const byKey = core.caller((await core.credentials.byKey(key)) as Actor);
    expect((await byKey.links.create({ url })).created_by).toEqual(maker("admin"));
    await byKey.imports.create({ content: `url,slug\n${url},made-by-job\n` });
    await core.jobs.run();
    const { data } = await byKey.links.list({ search: "made-by-job" });
    expect(data[0]?.created_by).toEqual(maker("admin"));
  });

  it("has no maker if the service or the operator made it", async () => {
    const { id } = await team();
    const { key } = await core.keys.issue(id);
    const byKey = core.caller((await core.credentials.byKey(key)) as Actor);
    expect((await byKey.links.create({ url })).created_by).toBeNull();
    expect((await core.caller(await actor()).links.create({ url })).created_by).toBeNull();
  });

  it("keeps its maker when they leave, and when it is deleted and comes back, but not after they are erased", async () => {
    const { as, maker, leave } = await team();
    const { id } = await as("editor").links.create({ url, slug: `kept-${Date.now()}` });
    await leave("editor");
    await as("owner").links.delete({ id });
    const { data } = await as("owner").links.history({ id });
    await as("owner").changes.undo({ id: data[0]?.id ?? "" });
    expect((await as("owner").links.get({ id })).created_by).toEqual(maker("editor"));
    await core.accounts.delete(maker("editor").id);
    expect((await as("owner").links.get({ id })).created_by).toBeNull();
    expect((await as("owner").links.list({ created_by: "left" })).data).toMatchObject([{ id }]);
  });

  it("does not change a link for If-Match when the maker is renamed", async () => {
    const { as, maker } = await team();
    const { id } = await as("editor").links.create({ url });
    const before = await as("admin").links.get({ id });
    await pool.query("update workspaces set name = 'Renamed' where id = $1", [maker("editor").id]);
    const after = await as("admin").links.get({ id });
    expect(after).toEqual({ ...before, created_by: { ...before.created_by, name: "Renamed" } });
  });
});

describe("the filter by maker", () => {
  it("finds the caller's links, a person's, and those of people who have left, in every order", async () => {
    const { id, as, maker, leave } = await team();
    const slugs: Partial<Record<TeamCaller, string>> = {};
    for (const by of ["owner", "admin", "editor"] as const)
      slugs[by] = (await as(by).links.create({ url })).slug;
    await pool.query(
      "insert into links (id, account_id, slug, destination, created_at, updated_at) values (gen_random_uuid(), $1, $2, $3, now(), now())",
      [id, `old-${Date.now()}`, url],
    );
    const found = async (created_by: string, sort: "slug" | "-click_count" | "-created_at" = "-created_at") =>
      (await as("admin").links.list({ created_by, sort })).data.map(({ slug }) => slug);
    for (const sort of ["slug", "-click_count", "-created_at"] as const) {
      expect(await found("me", sort)).toEqual([slugs.admin]);
      expect(await found(maker("editor").id, sort)).toEqual([slugs.editor]);
      expect(await found("left", sort)).toEqual([]);
    }
    await leave("editor");
    await leave("owner");
    expect(new Set(await found("left", "slug"))).toEqual(new Set([slugs.owner, slugs.editor]));
    expect(await found(unknownId)).toEqual([]);
    expect(await found(maker("stranger").id)).toEqual([]);
    const selected = await as("admin").links.bulkUpdate({
      filter: { created_by: "left" },
      set: { title: "Left" },
    });
    expect(atOnce(selected)).toMatchObject({ matched: 2, changed: 2 });
    expect(await rejection(found("nobody"))).toMatchObject({
      message: "created_by: must be me, left or the id of a person",
    });
  });

  it("finds the links of a personal workspace's owner", async () => {
    const { as } = await team();
    const { id } = await as("stranger").links.create({ url });
    expect((await as("stranger").links.list({ created_by: "me" })).data).toMatchObject([{ id }]);
    expect((await as("stranger").links.list({ created_by: "left" })).data).toEqual([]);
  });

  it("is read from its index", async () => {
    const { id, as, maker } = await team();
    await pool.query(
      `insert into links (id, account_id, slug, destination, created_at, updated_at, made_by)
       select gen_random_uuid(), $1::uuid, 'many-' || n || $1::text, 'https://example.com/', now() - n * interval '1 minute', now(),
         case when n % 500 = 0 then $2::uuid else $3::uuid end
       from generate_series(1, 5000) n`,
      [id, maker("editor").id, maker("owner").id],
    );
    await pool.query("analyze links");
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(
      `explain select id from links where account_id = $1 and made_by = any($2::uuid[]) and made_by <> account_id limit 1001`,
      [id, [maker("editor").id]],
    );
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("links_made_by");
    const { data, meta } = await as("admin").links.list({ created_by: maker("editor").id, limit: 3 });
    expect(meta).toMatchObject({ total: 10, total_is_exact: true });
    expect(data.map(({ slug }) => slug)).toEqual([500, 1000, 1500].map((n) => `many-${n}${id}`));
  });
});

describe("handing over", () => {
  it("is for the maker, for those who manage members, and for all editors if the maker has left", async () => {
    const { as, maker, leave } = await team();
    const to = (caller: TeamCaller) => ({ created_by: maker(caller).id });
    const own = await as("editor").links.create({ url });
    const ofAdmin = await as("admin").links.create({ url });
    const given = await as("editor").links.update({ id: own.id, ...to("admin") });
    expect(given.created_by).toEqual(maker("admin"));
    expect(await rejection(as("editor").links.update({ id: own.id, ...to("editor") }))).toEqual(forbidden);
    expect(await rejection(as("viewer").links.update({ id: own.id, ...to("viewer") }))).toEqual(forbidden);
    await as("owner").links.update({ id: own.id, ...to("viewer") });
    await leave("admin");
    const taken = await as("editor").links.update({ id: ofAdmin.id, ...to("editor") });
    expect(taken.created_by).toEqual(maker("editor"));
  });

  it("takes members only, and a link as it was read", async () => {
    const { as, maker, leave } = await team();
    const { id } = await as("editor").links.create({ url });
    for (const created_by of [maker("stranger").id, unknownId, "nobody"]) {
      expect(await rejection(as("owner").links.update({ id, created_by }))).toEqual(notAMember);
      const bulk = as("owner").links.bulkUpdate({ ids: [id], set: { created_by } });
      expect(await rejection(bulk)).toEqual(notAMember);
    }
    await leave("editor");
    const read = await as("owner").links.get({ id });
    const sent = { ...read, title: "Sent back" } as never;
    expect(await as("owner").links.update(sent)).toMatchObject({
      title: "Sent back",
      created_by: maker("editor"),
    });
    await pool.query("update links set made_by = null where id = $1", [id]);
    const without = { ...(await as("viewer").links.get({ id })), title: "Again" } as never;
    expect(await as("owner").links.update(without)).toMatchObject({ title: "Again", created_by: null });
    expect(await rejection(as("admin").links.update({ id, created_by: unknownId }))).toEqual(notAMember);
  });

  it("of many says which ones it refuses, is in the history with names, and can be undone", async () => {
    const { as, maker, leave } = await team();
    const made = await Promise.all(
      (["owner", "admin", "editor"] as const).map((by) => as(by).links.create({ url })),
    );
    const ids = made.map(({ id }) => id);
    await leave("admin");
    const set = { created_by: maker("editor").id };
    const changed = atOnce(await as("editor").links.bulkUpdate({ ids, set }));
    expect(changed).toMatchObject({ matched: 3, changed: 2, results: [{ id: ids[0], status: 403 }] });
    const { data } = await as("viewer").links.history({ id: ids[1] ?? "" });
    expect(data.map(({ by, fields }) => [by.name, fields["created_by"]])).toEqual([
      [maker("editor").name, { from: maker("admin"), to: maker("editor") }],
      [maker("admin").name, undefined],
    ]);
    const { data: all } = await as("viewer").changes.list({});
    expect(all.map(({ by }) => by.name)).toEqual(
      ["editor", "editor", "admin", "owner"].map((by) => maker(by as TeamCaller).name),
    );
    await as("editor").changes.undo({ id: changed.change_id ?? "" });
    const makers = await Promise.all(
      ids.map(async (id) => (await as("viewer").links.get({ id })).created_by),
    );
    expect(makers).toEqual((["owner", "admin", "editor"] as const).map(maker));
  });

  it("cannot be undone by an editor who may not hand the link over", async () => {
    const { as, maker } = await team();
    const { id } = await as("editor").links.create({ url });
    await as("owner").links.update({ id, created_by: maker("admin").id });
    const { data } = await as("editor").links.history({ id });
    expect(await rejection(as("editor").changes.undo({ id: data[0]?.id ?? "" }))).toEqual(forbidden);
  });
});

it("names the person of a creation in the log of a shared workspace, and of a key's first use", async () => {
  const { as, maker } = await team();
  await as("editor").links.create({ url, slug: `logged-${Date.now()}` });
  const { key } = await as("admin").keys.create({ name: "Logged" });
  await core.credentials.byKey(key);
  const { data } = await as("owner").audit.list({ action: ["link_created", "key_first_used"] });
  expect(data.map(({ action, actor: by }) => [action, by.kind, by.user_id, by.name])).toEqual([
    ["key_first_used", "key", maker("admin").id, "Logged"],
    ["link_created", "user", maker("editor").id, maker("editor").name],
  ]);
  const { meta } = await as("owner").audit.list({ actor: maker("editor").id, action: "link_created" });
  expect(meta.total).toBe(1);
});
