import { until } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { Reader } from "../../../src/analytics/live/stream.ts";
import { parseCursor } from "../../../src/analytics/live/cursor.ts";
import { type Caller, createCore } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, rejection, url } from "../../helpers.ts";
import { follow, untilOthersEnded } from "./follow.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
const node = await createCore({ databaseUrl, shortBase: "http://short.test" });
const other = await createTestCore();
afterAll(async () => {
  await Promise.all([node.close(), close(), other.close()]);
});
const { pool } = depsOf(core);

const iso = (time: number) => new Date(time).toISOString();

describe("a live stream", () => {
  it("goes on while the clicks of another account cannot be read", async () => {
    const [stranger, owner] = [await actor("pro"), await actor("pro")];
    const click = async (caller: Caller) =>
      core.clicks.record(clickOn((await caller.links.create({ url })).id, { time: Date.now() }));
    const filters = [{ dimension: "link_id", values: ["no id"], negated: false }] as const;
    const broken = await depsOf(core).live.open(stranger, { filters, after: null, follow: true });
    const stream = await follow(core.caller(owner));
    await click(core.caller(stranger));
    await click(core.caller(owner));
    await until(() => stream.clicks().length === 1);
    await Promise.all([broken.return(), stream.leave()]);
  });

  it("has each click once, also if a transaction ends after later ones, and continues on another node", async () => {
    const owner = await actor("pro");
    const { id } = await core.caller(owner).links.create({ url });
    const start = Date.now() - 10_000;
    const click = (place: number) => core.clicks.record(clickOn(id, { time: start + place }));
    await click(0);
    await untilOthersEnded(pool);
    const first = await follow(core.caller(owner));
    await click(1);
    await until(() => first.clicks().length === 1);

    // A node that is slow stores an earlier click, and has not committed yet.
    const slow = await pool.connect();
    await slow.query("begin");
    await slow.query(
      `insert into clicks select (jsonb_populate_record(c, jsonb_build_object('id', c.id - (1 << 20)))).*
       from clicks c where link_id = $1 order by id limit 1`,
      [id],
    );
    await click(2);
    const second = await follow(node.caller(owner), { last_event_id: first.lastId() });
    await first.leave();
    await slow.query("commit");
    slow.release();
    await click(3);
    await until(() => second.clicks().length === 3);
    expect(first.clicks()).toEqual([iso(start + 1)]);
    expect(second.clicks()).toEqual([iso(start - 1), iso(start + 2), iso(start + 3)]);
    await second.leave();

    const missed = await follow(core.caller(owner), { last_event_id: second.events[1]?.id, follow: false });
    expect(missed.clicks()).toEqual([iso(start + 2), iso(start + 3)]);
    await missed.ended;
  });

  it("goes on where it was, on a node that is not as far yet", async () => {
    const owner = await actor("pro");
    const { id } = await core.caller(owner).links.create({ url });
    const start = Date.now() - 10_000;
    const click = (place: number) => core.clicks.record(clickOn(id, { time: start + place }));
    await untilOthersEnded(pool);
    // The other node stays where it is while a stream of the account fails.
    const filters = [{ dimension: "link_id", values: ["no id"], negated: false }] as const;
    const broken = await depsOf(node).live.open(owner, { filters, after: null, follow: true });
    const first = await follow(core.caller(owner));
    for (const place of [0, 1, 2]) await click(place);
    await until(() => first.clicks().length === 3);
    const second = await follow(node.caller(owner), { last_event_id: first.events[2]?.id });
    expect(second.events.map(({ event, id: at }) => [event, at])).toEqual([["ready", first.events[2]?.id]]);
    await broken.return();
    await click(3);
    await until(() => second.clicks().includes(iso(start + 3)));
    expect(second.clicks()).toEqual([iso(start + 2), iso(start + 3)]);
    await Promise.all([first.leave(), second.leave()]);
  });

  it("waits for no transaction of another database", async () => {
    const owner = await actor("pro");
    const { id } = await core.caller(owner).links.create({ url });
    const stream = await follow(core.caller(owner));
    const stranger = await depsOf(other.core).pool.connect();
    await stranger.query("begin");
    await stranger.query("update click_stream set counted = counted");
    await core.clicks.record(clickOn(id));
    await until(() => stream.clicks().length === 1);
    await stranger.query("rollback");
    stranger.release();
    await stream.leave();
  });

  it("has the clicks that a filter selects, those of bots too, and nothing of another account", async () => {
    const owner = await actor("pro");
    const { id } = await core.caller(owner).links.create({ url });
    const stranger = await follow(core.caller(await actor("pro")));
    const danish = await follow(core.caller(owner), { country: "DK" });
    const bots = await follow(core.caller(owner), { bot: "any" });
    const start = Date.now();
    await core.clicks.record(clickOn(id, { time: start, country: "SE" }));
    await core.clicks.record(clickOn(id, { time: start + 1, country: "DK" }));
    await core.clicks.record(clickOn(id, { time: start + 2, user_agent: "curl/8.5.0" }));
    await until(() => danish.clicks().length === 1 && bots.clicks().length === 1);
    expect(danish.clicks()).toEqual([iso(start + 1)]);
    expect(bots.clicks()).toEqual([iso(start + 2)]);
    expect(stranger.clicks()).toEqual([]);
    await Promise.all([danish.leave(), bots.leave(), stranger.leave()]);
  });

  it("says that something is missing after an event of long ago, or of another database", async () => {
    const caller = core.caller(await actor("pro"));
    for (const last_event_id of [`${10n ** 17n}-1`, `5@${Date.now() - 3_600_000}`]) {
      const stream = await follow(caller, { last_event_id, follow: false });
      expect(stream.events[0]).toEqual({ event: "skipped", data: { clicks: null } });
    }
  });

  it("is refused if the account has too many", async () => {
    const caller = core.caller(await actor("pro"));
    const open = await Promise.all(Array.from({ length: 20 }, () => follow(caller)));
    expect(await rejection(caller.analytics.live())).toEqual({
      code: "SERVICE_UNAVAILABLE",
      message: "The account has 20 live streams open; close one of them",
    });
    await Promise.all(open.map((stream) => stream.leave()));
    await (await follow(caller)).leave();
  });
});

it("a client that reads slowly gets to know that clicks are missing, also if their number is not known", async () => {
  const reader = new Reader(
    () => "1@1",
    () => {},
  );
  const unknown = { name: "skipped" as const, clicks: null };
  const clicks = Array.from({ length: 1000 }, (_, at) => ({
    name: "click" as const,
    id: `1-${at}`,
    click: {} as never,
  }));
  reader.push([unknown, ...clicks]);
  expect((await reader.next()).value).toEqual(unknown);
  expect((await reader.next()).value).toEqual(clicks[0]);
  reader.push([unknown, ...clicks]);
  reader.push(clicks);
  expect((await reader.next()).value).toEqual(unknown);
  reader.push(clicks.slice(0, 3));
  expect((await reader.next()).value).toEqual({ name: "skipped", clicks: 3 });
  await reader.return();
});

it("a client that reads slowly misses the oldest clicks, and gets to know how many", async () => {
  const reader = new Reader(
    () => "1@1",
    () => {},
  );
  const event = (place: number) => ({ name: "click" as const, id: `1-${place}`, click: {} as never });
  for (let batch = 0; batch < 3; batch++)
    reader.push(Array.from({ length: 1000 }, (_, at) => event(batch * 1000 + at)));
  expect((await reader.next()).value).toEqual({ name: "skipped", clicks: 2000 });
  expect((await reader.next()).value).toEqual(event(2000));
  const late = reader.return();
  expect((await late).done).toBe(true);
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

const longest = "9".repeat(19);
it.each(["", "-1", "1-", "1@", "1-2-3", "1.5", "1 ", longest, `1-${longest}`, "1@99999999999999", "٣"])(
  "an id that no event has is none: %j",
  (text) => expect(parseCursor(text)).toBeNull(),
);
