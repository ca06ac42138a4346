import { afterAll, describe, expect, it } from "vitest";
import { boundsOf, surgeIn } from "../../../src/integrations/alerts/conditions.ts";
import { createCore } from "../../../src/index.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { startSite } from "../../outbound/site.ts";
import { setUp } from "../webhooks/setup.ts";

const { core, databaseUrl, time, pass, newWebhook } = await setUp();
const node = await createCore({ databaseUrl, shortBase: "http://short.test", clock: () => time.now });
afterAll(() => node.close());

const hour = 3600;
const quarter = hour / 4;
const week = 7 * 24 * hour;
const at = (seconds = 0) => time.now.getTime() + seconds * 1000;

/** An account with a webhook for alerts; `told` is what that was sent so far. */
async function account() {
  const site = await startSite();
  const { links, actor } = await newWebhook(site.url, "alert.fired");
  const { alerts } = core.caller(actor);
  /** Two nodes evaluate at the same time. */
  async function evaluate() {
    await Promise.all([core.chores.run(), node.chores.run()]);
    await core.webhooks.deliverDue();
  }
  const told = () =>
    site.received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
  return { links, alerts, evaluate, told };
}

describe("an alert", () => {
  it("of silence fires once until a click, for a link, a tag or the account", async () => {
    const { links, alerts, evaluate, told } = await account();
    const [quiet, busy] = [await links.create({ url, tags: ["Quiet"] }), await links.create({ url })];
    const ofLink = await alerts.create({ kind: "silence", hours: 24, link_id: quiet.id, name: "Quiet link" });
    await alerts.create({ kind: "silence", hours: 30, tag: "quiet" });
    await alerts.create({ kind: "silence", hours: 24 });
    await core.clicks.record(clickOn(quiet.id, { time: at() }));
    const lastClick = new Date(at()).toISOString();
    pass(23 * hour);
    await core.clicks.record(clickOn(busy.id, { time: at() }));
    await evaluate();
    expect(told()).toEqual([]);
    for (let round = 0; round < 3; round++) {
      pass(2 * hour);
      await evaluate();
    }
    expect(told().map(({ type, data }) => [type, data["name"]])).toEqual([["alert.fired", "Quiet link"]]);
    const firedAt = new Date(at(-4 * hour)).toISOString();
    expect(told()[0]?.data).toEqual({
      id: ofLink.id,
      name: "Quiet link",
      kind: "silence",
      link_id: quiet.id,
      tag: null,
      hours: 24,
      factor: null,
      fired_at: firedAt,
      clicks: 0,
      usual: null,
      window: { from: lastClick, to: firedAt },
    });
    expect((await alerts.list()).map(({ name, fired_at }) => [name, fired_at])).toEqual([
      ["All links", null],
      ["Quiet", null],
      ["Quiet link", firedAt],
    ]);
    pass(2 * hour);
    await evaluate();
    expect(told().map(({ data }) => data["tag"])).toEqual([null, "Quiet"]);
    await core.clicks.record(clickOn(quiet.id, { time: at() }));
    pass(hour);
    await evaluate();
    pass(24 * hour);
    await evaluate();
    const names = told().map(({ data }) => String(data["name"]));
    expect(names.slice(0, 2)).toEqual(["Quiet link", "Quiet"]);
    expect(names.slice(2).toSorted()).toEqual(["All links", "Quiet link"]);
  });

  it("of a surge fires once, at so many times the usual clicks of this hour of the week", async () => {
    const { links, alerts, evaluate, told } = await account();
    time.now = new Date(Math.ceil(at() / 3_600_000) * 3_600_000 + 1_200_000);
    const { id } = await links.create({ url, tags: ["Launch"] });
    const visit = async (count: number, when: number) => {
      for (let each = 0; each < count; each++)
        await core.clicks.record(clickOn(id, { time: at(when) + each }));
    };
    for (const weeks of [1, 2]) await visit(weeks * 4, -weeks * week);
    await alerts.create({ kind: "surge", factor: 2, link_id: id, name: "Link" });
    await alerts.create({ kind: "surge", factor: 2, tag: "launch" });
    await alerts.create({ kind: "surge", factor: 3 });
    await visit(11, 0);
    await evaluate();
    expect(told()).toEqual([]);
    await visit(1, 1);
    pass(20 * 60);
    await evaluate();
    pass(hour);
    await evaluate();
    expect(
      told()
        .map(({ data }) => String(data["name"]))
        .toSorted(),
    ).toEqual(["Launch", "Link"]);
    const start = new Date(Math.floor(at(-hour) / 3_600_000) * 3_600_000).toISOString();
    expect(told()[0]?.data).toMatchObject({
      kind: "surge",
      clicks: 12,
      usual: 6,
      factor: 2,
      window: { from: start, to: new Date(at(-hour)).toISOString() },
    });
    // The hour after next, the condition has ended; a week later it holds again.
    pass(2 * hour);
    await evaluate();
    pass(week - 3 * hour - 20 * 60);
    await visit(40, 0);
    await evaluate();
    expect(told().map(({ data }) => data["name"])).toHaveLength(5);
  });

  it("of a surge of a tag leaves out weeks of which raw clicks were deleted", async () => {
    const { links, alerts, evaluate, told } = await account();
    // Of the four weeks before, two are in the month that is deleted.
    time.now = new Date(Date.UTC(time.now.getUTCFullYear() + 1, 2, 20, 12, 20));
    const { id } = await links.create({ url, tags: ["Kept"] });
    for (const [count, weeks] of [
      [12, 0],
      [4, 1],
      [8, 2],
      [40, 3],
    ] as const)
      for (let each = 0; each < count; each++)
        await core.clicks.record(clickOn(id, { time: at(-weeks * week) + each }));
    const { pool } = depsOf(core);
    await pool.query("insert into click_months_dropped values ($1)", [new Date(at(-3 * week))]);
    await alerts.create({ kind: "surge", factor: 2, tag: "kept" });
    await evaluate();
    await pool.query("delete from click_months_dropped");
    expect(told().map(({ data }) => [data["clicks"], data["usual"]])).toEqual([[12, 6]]);
  });

  it("of silence of all links counts the clicks of a link that was deleted since", async () => {
    const { links, alerts, evaluate, told } = await account();
    const [kept, deleted] = [await links.create({ url }), await links.create({ url })];
    await alerts.create({ kind: "silence", hours: 2 });
    await core.clicks.record(clickOn(kept.id, { time: at() }));
    pass(hour);
    await core.clicks.record(clickOn(deleted.id, { time: at() }));
    const end = at((-time.now.getTime() % (quarter * 1000)) / 1000 + quarter);
    await links.delete({ id: deleted.id });
    pass(hour + quarter);
    await evaluate();
    expect(told()).toEqual([]);
    pass(hour);
    await evaluate();
    expect(told()[0]?.data).toMatchObject({ clicks: 0, window: { from: new Date(end).toISOString() } });
  });

  it("is not evaluated while it is switched off, or the account's plan has no webhooks", async () => {
    const { links, alerts, evaluate, told } = await account();
    const { id } = await alerts.create({ kind: "silence", hours: 1, active: false });
    await links.create({ url });
    pass(2 * hour);
    await evaluate();
    await alerts.update({ id, active: true });
    const { pool } = depsOf(core);
    const planned = (plan: string) =>
      pool.query("update users set plan = $1 where id = (select account_id from alerts where id = $2)", [
        plan,
        id,
      ]);
    await planned("free");
    await evaluate();
    expect(told()).toEqual([]);
    await planned("pro");
    pass(hour);
    await evaluate();
    expect(told()).toHaveLength(1);
  });

  it("that is on fires again with another threshold, but not under another name", async () => {
    const { alerts, evaluate, told } = await account();
    const { id } = await alerts.create({ kind: "silence", hours: 1 });
    pass(3 * hour);
    await evaluate();
    await alerts.update({ id, name: "Renamed" });
    await evaluate();
    expect(told()).toHaveLength(1);
    await alerts.update({ id, hours: 2 });
    await evaluate();
    expect(told().map(({ data }) => data["name"])).toEqual(["All links", "Renamed"]);
    // As it was read, for either kind: nothing changes.
    const surge = await alerts.create({ kind: "surge" });
    const listed = await alerts.list();
    expect(listed).toContainEqual(surge);
    for (const alert of listed) expect(await alerts.update(alert)).toEqual(alert);
    await evaluate();
    expect(told()).toHaveLength(2);
  });
});

describe("what is usual", () => {
  const now = Date.parse("2026-11-18T10:20:00Z");
  const counts = (previous: number[], current: number[]) =>
    boundsOf(now)
      .slice(1)
      .map(
        (_, place) =>
          (place % 3 === 0 ? previous : place % 3 === 1 ? current : [])[Math.floor(place / 3)] ?? 0,
      );

  it("is the mean of the same hour in the weeks since the first click", () => {
    const first = Date.parse("2026-11-04T10:59:00Z");
    expect(surgeIn(counts([], [9, 9, 10, 20, 45]), now, 3, first)).toEqual({
      isOn: true,
      clicks: 45,
      usual: 15,
      window: { from: Date.parse("2026-11-18T10:00:00Z"), to: now },
    });
    expect(surgeIn(counts([], [9, 9, 10, 20, 44]), now, 3, first).isOn).toBe(false);
  });

  it("is unknown in the first week, and few clicks are never a surge", () => {
    expect(surgeIn(counts([], [0, 0, 0, 0, 500]), now, 2, now - 6 * 86_400_000)).toMatchObject({
      isOn: false,
      usual: null,
    });
    expect(surgeIn(counts([], [0, 0, 0, 0, 9]), now, 2, 0).isOn).toBe(false);
    expect(surgeIn(counts([], [0, 0, 0, 0, 10]), now, 2, 0).isOn).toBe(true);
  });

  it("is compared with the hour before too, which may have ended since the last evaluation", () => {
    expect(surgeIn(counts([1, 1, 1, 1, 30], []), now, 2, 0)).toMatchObject({
      isOn: true,
      clicks: 30,
      usual: 1,
      window: { to: Date.parse("2026-11-18T10:00:00Z") },
    });
  });
});
