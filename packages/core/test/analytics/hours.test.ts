import { tempFolder } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { createHourSums } from "../../src/clicks/drain/rollups/hour-sums.ts";
import { PackedSums } from "../../src/clicks/packed/sums.ts";
import type { RawClick } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { drainOf, logClicks } from "../clicks/drain/helpers.ts";
import { clickOn, depsOf } from "../helpers.ts";
import { agents } from "./naive.ts";

const now = Date.parse("2026-03-10T15:40:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);
const owner = await actor("pro");
const { analytics, links } = core.caller(owner);
const link = await links.create({ url: "https://example.com/" });

const clickAt = (time: number, country: string): RawClick =>
  clickOn(link.id, { time, country, user_agent: agents[0]?.user_agent, referrer: "" });
const botAt = (time: number): RawClick => clickOn(link.id, { time, user_agent: "curl/8.5.0" });

async function countThem(clicks: readonly RawClick[]): Promise<void> {
  const folder = await tempFolder();
  await logClicks(folder, clicks);
  await drainOf(core, folder).once();
}

async function sumHours(least = 1): Promise<number> {
  const portion = createHourSums(pool, now, { least });
  while (await portion());
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from account_hour_sums where account_id = $1",
    [owner.account.id],
  );
  return rows[0]?.count ?? 0;
}

const countries = async () =>
  Object.fromEntries(
    (await analytics.overview({ period: "24h" })).countries.map(({ country, clicks }) => [country, clicks]),
  );

const bots = async () => (await analytics.overview({ period: "24h" })).bots_by;
const curl = (clicks: number) => [{ bot: "tool", rule: "curl", clicks }];

it("hours that ended are read instead of their rows, until a late click comes", async () => {
  // One every ten minutes of 40 hours, of which 23 hours and 40 minutes are in the window.
  const times = Array.from({ length: 240 }, (_, at) => now - at * 600_000);
  await countThem(times.flatMap((time) => [clickAt(time, "DE"), botAt(time)]));
  const expected = await countries();
  expect(expected).toEqual({ DE: 143 });
  expect(await sumHours(1000)).toBe(0);
  // From the start of the day before yesterday to the hour that is not over.
  expect(await sumHours()).toBe(63);
  expect(await countries()).toEqual(expected);
  expect(await bots()).toEqual(curl(143));

  const { rows } = await pool.query<{ packed: Buffer }>(
    "select packed from account_hour_sums where start = '2026-03-09 20:00Z'",
  );
  const setPacked = (packed: Buffer | undefined) =>
    pool.query("update account_hour_sums set packed = $1 where start = '2026-03-09 20:00Z'", [packed]);
  await setPacked(new PackedSums().pack());
  // It is read: what it does not have is unknown.
  expect(await countries()).toEqual({ DE: 137, unknown: 6 });
  await countThem([clickAt(Date.parse("2026-03-09T20:30:00Z"), "FR")]);
  // It is no longer read.
  expect(await countries()).toEqual({ DE: 143, FR: 1 });
  await setPacked(rows[0]?.packed);
  expect(await countries()).toEqual({ DE: 143, FR: 1 });
  await sumHours();
  expect(await countries()).toEqual({ DE: 143, FR: 1 });
});

it("bots of hours that ended are read, too", async () => {
  const change = (columns: string) =>
    pool.query(`update account_hour_sums set ${columns} where start = '2026-03-09 20:00Z'`);
  await change("bot_ids = '{}', bot_counts = '{}'");
  // They are read: what they do not have is unknown.
  expect(await bots()).toEqual([...curl(137), { bot: "unknown", rule: "unknown", clicks: 6 }]);
  await countThem([botAt(Date.parse("2026-03-09T20:30:00Z"))]);
  // They are no longer read.
  expect(await bots()).toEqual(curl(144));
  await sumHours();
  expect(await bots()).toEqual(curl(144));
  await change("bot_ids = '{}', bot_counts = '{}'");
  expect(await bots()).toEqual([...curl(137), { bot: "unknown", rule: "unknown", clicks: 7 }]);
});

it("visits after the window, from a node whose clock is ahead, do not count in it", async () => {
  const later = Date.parse("2026-03-10T17:30:00Z");
  await countThem([botAt(later)]);
  expect(await bots()).toEqual([...curl(137), { bot: "unknown", rule: "unknown", clicks: 7 }]);
  await countThem([clickAt(later, "NP")]);
  expect(await countries()).toEqual({ DE: 143, FR: 1 });
});

it("hours are deleted when their day is packed", async () => {
  const later = createHourSums(pool, now + 86_400_000, { least: 1 });
  while (await later());
  const { rows } = await pool.query<{ first: Date; last: Date }>(
    "select min(start) as first, max(start) as last from account_hour_sums",
  );
  expect(new Date(rows[0]?.first ?? 0).toISOString()).toBe("2026-03-09T00:00:00.000Z");
  expect(new Date(rows[0]?.last ?? 0).toISOString()).toBe("2026-03-11T14:00:00.000Z");
});
