import { afterAll, describe, expect, it } from "vitest";
import type { Actor, Caller, RawClick } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { packClicks } from "../clicks/blocks/helpers.ts";
import { storeOf } from "../clicks/drain/helpers.ts";
import { addDomain, atOnce, clickOn, depsOf, rejection, unknownId, url } from "../helpers.ts";

const day = 86_400_000;
const now = new Date("2026-05-15T12:30:00.000Z");
const { core, account, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { pool } = depsOf(core);

type Plan = "free" | "pro" | "enterprise";

/** A person with two workspaces, each with a caller. */
async function twoWorkspaces(plan: Plan = "pro", role = "owner", otherPlan: Plan = plan) {
  const person = await account(plan);
  const { id } = person;
  const self = { id, email: person.email, name: person.name };
  const own: Actor = { kind: "account", account: person, user: self, role: "owner", credential: "session" };
  const made = await core.caller(own).workspaces.create({ name: "Team" });
  await pool.query("update workspaces set plan = $2 where id = $1", [made.id, otherPlan]);
  await pool.query("update members set role = $2 where workspace_id = $1", [made.id, role]);
  const team = { id: made.id, name: "Team", plan: otherPlan };
  return { own, here: core.caller(own), team, there: core.caller({ ...own, account: team }) };
}

/** Clicks of many kinds on days of three months; those of past days are in blocks. */
async function click(ids: readonly string[], from = 0): Promise<void> {
  const times = ["2026-03-31T23:59:59.999Z", "2026-04-30T23:45:00Z", "2026-05-15T12:00:00Z"];
  const clicks = Array.from({ length: 90 }, (_, at): RawClick => {
    const bot = at % 7 === 0;
    return clickOn(ids[at % ids.length] ?? "", {
      time: Date.parse(times[at % 3] ?? "") - from * day,
      address: `10.0.${from}.${at % 50}`,
      ...(bot && { user_agent: "curl/8.5.0" }),
      referrer: at % 5 === 0 ? `https://site${at % 15}.example/` : "",
      country: at % 2 ? "DE" : "",
      ...(at % 4 === 0 && { campaign: `utm_source=mail&utm_campaign=c${at % 5}\n` }),
    });
  });
  const store = storeOf(core);
  await store.store(await store.prepare(clicks), null);
}

const reportsOf = async (caller: Caller) => {
  const period = { from: "2026-01-01", to: "2026-05-15" };
  const [all, german, byCampaign, byLink] = await Promise.all([
    caller.analytics.overview(period),
    caller.analytics.overview({ ...period, country: "DE" }),
    caller.analytics.overview({ ...period, group_by: ["utm_campaign"] }),
    caller.analytics.overview({ ...period, group_by: ["link_id", "country"] }),
  ]);
  return { all, german, byCampaign, byLink };
};

const clicksIn = async (caller: Caller) => (await reportsOf(caller)).all.clicks;

describe("links that move to another workspace", () => {
  it("take their clicks along, so that every number is as if they had always been there", async () => {
    const { here, there, team } = await twoWorkspaces();
    const control = await twoWorkspaces();
    const make = async (caller: Caller) => (await caller.links.create({ url })).id;
    const [moved, stays, resident] = [await make(here), await make(here), await make(there)];
    const [asMoved, asStaying, asResident] = [
      await make(control.there),
      await make(control.here),
      await make(control.there),
    ];
    await click([moved, stays, resident]);
    await packClicks(core, now.getTime() - 2 * day);
    await click([moved, stays, resident], 1);
    await click([asMoved, asStaying, asResident]);
    await click([asMoved, asStaying, asResident], 1);
    await packClicks(core, now.getTime() - 2 * day);
    await core.clickhouse?.catchUp();

    const answer = atOnce(await here.links.transfer({ ids: [moved], workspace: team.id }));
    expect(answer).toMatchObject({ matched: 1, changed: 1, results: [] });
    await core.clickhouse?.catchUp();
    const plain = (value: unknown) =>
      JSON.stringify(value)
        .replaceAll(moved, asMoved)
        .replaceAll(stays, asStaying)
        .replaceAll(resident, asResident);
    const slugs = /"(slug|short_url|shortUrl)":"[^"]*"/g;
    for (const [caller, same] of [
      [here, control.here],
      [there, control.there],
    ] as const) {
      const [real, expected] = [await reportsOf(caller), await reportsOf(same)];
      expect(expected.all.clicks).toBeGreaterThan(20);
      expect(expected.byCampaign.groups?.length).toBeGreaterThan(2);
      expect(plain(real).replace(slugs, "")).toEqual(JSON.stringify(expected).replace(slugs, ""));
    }
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], repaired: 0 });

    const change = answer.change_id ?? "";
    await here.changes.undo({ id: change });
    const counted = async (caller: Caller, id: string) => (await caller.links.get({ id })).click_count;
    expect(await clicksIn(there)).toBe(await counted(there, resident));
    expect(await clicksIn(here)).toBe((await counted(here, moved)) + (await counted(here, stays)));
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], repaired: 0 });
  });

  it("are counted there from then on, also what a drain prepared before", async () => {
    const { here, there, team } = await twoWorkspaces();
    const { id } = await here.links.create({ url });
    const store = storeOf(core);
    const batch = await store.prepare([clickOn(id, { time: now.getTime() })]);
    await here.links.transfer({ ids: [id], workspace: team.id });
    await expect(store.store(batch, null)).rejects.toThrow("prepare it again");
    await store.store(await store.prepare([clickOn(id, { time: now.getTime() })]), null);
    expect([await clicksIn(here), await clicksIn(there)]).toEqual([0, 1]);
  });

  it("keep their id, slug and history, and get tags of the same names", async () => {
    const { own, here, there, team } = await twoWorkspaces();
    await there.links.create({ url, tags: ["Summer"] });
    const link = await here.links.create({ url, slug: "moving-on", tags: ["summer", "mail"] });
    await pool.query("update links set made_by = null where id = $1", [link.id]);
    const other = await here.links.create({ url });
    await here.links.bulkUpdate({ ids: [link.id, other.id], set: { title: "Both" } });
    await here.links.update({ id: link.id, title: "Alone" });
    await here.links.transfer({ ids: [link.id], workspace: team.id });

    expect(await there.links.get({ id: link.id })).toMatchObject({
      slug: "moving-on",
      title: "Alone",
      tags: ["mail", "Summer"],
      created_by: { id: (own as { account: { id: string } }).account.id },
    });
    expect(await rejection(here.links.get({ id: link.id }))).toMatchObject({ code: "NOT_FOUND" });
    const actions = async (caller: Caller, id: string) =>
      (await caller.links.history({ id })).data.map(({ action, links }) => `${action} ${links}`);
    expect(await actions(there, link.id)).toEqual(["transfer 1", "update 1", "update 1", "create 1"]);
    expect(await actions(here, link.id)).toEqual(["transfer 1"]);
    expect((await here.changes.list({ limit: 1 })).data).toMatchObject([
      { link_id: link.id, slug: "moving-on" },
    ]);
    expect(await actions(here, other.id)).toEqual(["update 1", "create 1"]);
    const { data } = await there.changes.list({});
    await there.changes.undo({ id: data.find(({ fields }) => fields["title"]?.to === "Alone")?.id ?? "" });
    expect((await there.links.get({ id: link.id })).title).toBe("Both");
  });

  it("come back by an undo from either side, once", async () => {
    const { here, there, team } = await twoWorkspaces();
    const { id } = await here.links.create({ url, tags: ["a"] });
    const { change_id } = atOnce(await here.links.transfer({ ids: [id], workspace: team.id }));
    const [arrival] = (await there.links.history({ id })).data;
    expect(arrival).toMatchObject({ action: "transfer", fields: { workspace: { to: team.id } } });
    expect(Object.keys(arrival?.fields ?? {})).toEqual(["workspace"]);
    await there.changes.undo({ id: arrival?.id ?? "" });
    expect(await here.links.get({ id })).toMatchObject({ tags: ["a"] });
    expect(await here.changes.undo({ id: change_id ?? "" })).toMatchObject({ changed: 0 });
    expect(await here.links.get({ id })).toMatchObject({ id });
  });

  it("are refused one by one if their domain or options cannot be used there", async () => {
    const { own, here, there, team } = await twoWorkspaces("pro", "owner", "free");
    await addDomain(core, (own as { account: { id: string } }).account.id, `go-${team.id}.example`);
    const plain = await here.links.create({ url });
    const onDomain = await here.links.create({ url, domain: `go-${team.id}.example` });
    const secret = await here.links.create({ url, password: "swordfish" });
    const all = [plain.id, onDomain.id, secret.id, unknownId];
    const preview = atOnce(await here.links.transfer({ ids: all, workspace: team.id, dry_run: true }));
    expect(preview.results.map(({ id, status }) => [id, status])).toEqual([
      [unknownId, 404],
      [onDomain.id, 403],
      [secret.id, 403],
    ]);
    const answer = atOnce(await here.links.transfer({ ids: all, workspace: team.id }));
    expect(answer).toMatchObject({ matched: 3, changed: 1, results: preview.results });
    expect((await there.links.list({})).data.map(({ id }) => id)).toEqual([plain.id]);
  });

  it("move by a job if there are many", async () => {
    const { here, there, team } = await twoWorkspaces();
    const some = Array.from({ length: 1000 }, () => ({ url }));
    await here.links.bulkCreate({ links: some, on_error: "stop" });
    await here.links.bulkCreate({ links: some.slice(0, 10), on_error: "stop" });
    const { links } = await here.links.list({ limit: 1 }).then(({ meta }) => ({ links: meta.total }));
    expect(links).toBe(1010);
    const started = await here.links.transfer({ filter: {}, workspace: team.id });
    expect(started).toHaveProperty("job_id");
    await core.jobs.run();
    const { job_id } = started as { job_id: string };
    expect(await here.jobs.get({ id: job_id })).toMatchObject({ status: "done", result: { changed: 1010 } });
    expect((await there.links.list({ limit: 1 })).meta.total).toBe(1010);
    expect((await here.changes.list({})).data[0]).toMatchObject({ action: "transfer", links: 1010 });
    const undo = await here.changes.undo({ id: job_id });
    expect(undo).toHaveProperty("job_id");
    await core.jobs.run();
    expect((await here.links.list({ limit: 1 })).meta.total).toBe(1010);
    expect((await here.changes.list({})).data.find(({ id }) => id === job_id)?.undone_by).not.toBeNull();
  });
});

describe("who may move links", () => {
  it("must be an editor in both workspaces", async () => {
    const { here, team } = await twoWorkspaces("pro", "viewer");
    const { id } = await here.links.create({ url });
    const refused = await rejection(here.links.transfer({ ids: [id], workspace: team.id }));
    expect(refused).toMatchObject({ code: "FORBIDDEN" });
    await pool.query("update members set role = 'editor' where workspace_id = $1", [team.id]);
    expect(await here.links.transfer({ ids: [id], workspace: team.id })).toMatchObject({ changed: 1 });
  });

  it("must be in the other one, which is unknown otherwise", async () => {
    const { here, own } = await twoWorkspaces();
    const { team: foreign, there: theirs } = await twoWorkspaces();
    const { id } = await here.links.create({ url });
    const link = await theirs.links.create({ url });
    expect(await rejection(here.links.transfer({ ids: [id], workspace: foreign.id }))).toMatchObject({
      code: "NOT_FOUND",
      message: "Workspace not found",
    });
    const mine = (own as { account: { id: string } }).account.id;
    expect(await rejection(here.links.transfer({ ids: [id], workspace: mine }))).toMatchObject({
      code: "BAD_REQUEST",
    });
    const { team } = await twoWorkspaces();
    expect(await rejection(here.links.transfer({ ids: [link.id], workspace: team.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await theirs.links.get({ id: link.id })).toMatchObject({ id: link.id });
  });
});

it("end the alerts on them", async () => {
  const { here, there, team } = await twoWorkspaces();
  const { id } = await here.links.create({ url });
  await here.alerts.create({ name: "Quiet", kind: "silence", link_id: id, hours: 24 });
  await here.links.transfer({ ids: [id], workspace: team.id });
  expect(await here.alerts.list()).toEqual([]);
  expect((await there.links.list({})).data.map((link) => link.id)).toEqual([id]);
});
