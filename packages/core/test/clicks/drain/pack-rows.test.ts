import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "@terse/testkit";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { packSomeRows } from "../../../src/clicks/drain/rollups/pack-rows.ts";
import { waitForPacking } from "../../../src/clicks/packed/packing.ts";
import { inTransaction } from "../../../src/db/transaction.ts";
import type { RawClick } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { number, storeOf } from "./helpers.ts";

const now = new Date("2026-05-15T12:30:00.000Z");
const { core, actor, close, databaseUrl } = await createTestCore({ clock: () => now });
afterAll(close);
const { pool } = depsOf(core);
const { links, analytics } = core.caller(await actor("pro"));

async function store(clicks: RawClick[]): Promise<void> {
  const node = storeOf(core);
  await node.store(await node.prepare(clicks), null);
}

/** Stores what is packed as the version before does, as rows. */
async function unpack(): Promise<void> {
  await pool.query(`
    create temporary table hours as select * from all_link_quarter_hours;
    create temporary table by_value as select * from all_link_day_values;
    create temporary table by_day as select * from all_account_day_values;
    create temporary table by_month as select * from all_account_month_values;
    update link_days set packed = null;
    truncate account_sums, account_day_values, account_month_values;
    insert into link_quarter_hours (link_id, start, clicks, visitors, bots)
      select link_id, start, sum(clicks), sum(visitors), sum(bots) from hours group by 1, 2;
    insert into link_day_values (link_id, day, dimension, value, clicks)
      select link_id, day, dimension, value, sum(clicks) from by_value group by 1, 2, 3, 4;
    insert into account_day_values (account_id, dimension, value, day, clicks)
      select account_id, dimension, value, day, sum(clicks) from by_day group by 1, 2, 3, 4;
    insert into account_month_values (account_id, dimension, value, month, clicks)
      select account_id, dimension, value, month, sum(clicks) from by_month group by 1, 2, 3, 4;
    drop table hours, by_value, by_day, by_month`);
}

const oldTables = ["link_quarter_hours", "link_day_values", "account_day_values", "account_month_values"];

const days = ["2026-03-31T23:59:59.999Z", "2026-05-14T00:00:00Z", "2026-05-15T11:45:00Z"];
const visits = (id: string, from: number): RawClick[] =>
  Array.from({ length: 60 }, (_, at) =>
    clickOn(id, {
      time: Date.parse(days[at % 3] ?? ""),
      address: `10.${from}.0.${at % 20}`,
      user_agent: at % 7 === 0 ? "curl/8.5.0" : clickOn("").user_agent,
      referrer: at % 5 === 0 ? "" : `https://site${at + from}.example/`,
      country: at % 2 ? "DE" : "",
      variant: at % 2,
    }),
  );

/** Reports that read each kind of sum. */
const reports = (id: string) =>
  Promise.all([
    analytics.overview({ period: "7d" }),
    analytics.overview({ period: "1y", tz: "Asia/Kathmandu" }),
    analytics.link({ id, period: "24h" }),
    analytics.link({ id, period: "30d", tz: "Asia/Kathmandu", compare: true }),
    analytics.link({ id, period: "all" }),
    analytics.dailyStats({ id, from: "2026-03-01", to: "2026-05-15", tz: "America/New_York" }),
  ]);

it("sums that a version before stored as rows are reported the same before, while and after they are packed", async () => {
  const ids = await Promise.all([1, 2].map(async () => (await links.create({ url })).id));
  const [id = "", other = ""] = ids;
  await store([...visits(id, 1), ...visits(other, 2)]);
  await unpack();
  // Nodes of two versions count on the same days.
  await store(visits(id, 100));
  const expected = await Promise.all(ids.map(reports));
  expect(expected[0]?.[4].clicks).toBe(120 - 2 * 9);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  expect(await Promise.all(ids.map(reports))).toEqual(expected);

  while (await packSomeRows(pool));
  for (const table of oldTables) expect(await number(core, `select count(*) from ${table}`), table).toBe(0);
  expect(await Promise.all(ids.map(reports))).toEqual(expected);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  await store(visits(id, 200));
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
});

it("nothing is packed during a rebuild, and a failure in the middle leaves everything as it was", async () => {
  const { id } = await links.create({ url });
  await store(visits(id, 3));
  await unpack();
  const before = await reports(id);
  await inTransaction(pool, async (database) => {
    await waitForPacking(database);
    expect(await packSomeRows(pool)).toBe(false);
    return false;
  });
  // A day that cannot be written: the rows that were deleted before come back.
  await pool.query(`alter table link_days add constraint broken check (packed is null) not valid`);
  await expect(packSomeRows(pool)).rejects.toThrow("broken");
  await pool.query(`alter table link_days drop constraint broken`);
  expect(await reports(id)).toEqual(before);
  while (await packSomeRows(pool));
  expect(await reports(id)).toEqual(before);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
});

it("a process that is killed while it packs, at any moment and beside counting, loses and doubles nothing", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await links.create({ url })).id));
  await store(ids.flatMap((id, at) => visits(id, at)));
  await unpack();
  const rows = () => number(core, oldTables.map((table) => `(select count(*) from ${table})`).join(" + "));
  for (let kills = 8; kills > 0; kills--) {
    const left = (await rows()) - randomInt(0, 1 + 2 * Math.floor((await rows()) / kills));
    const child = spawn(process.execPath, [join(import.meta.dirname, "packer.ts"), databaseUrl], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await store(visits(ids[kills] ?? "", kills));
    await until(async () => (await rows()) <= Math.max(0, left));
    child.kill("SIGKILL");
    await ended;
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  }
  while (await packSomeRows(pool));
  expect(await rows()).toBe(0);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
});
