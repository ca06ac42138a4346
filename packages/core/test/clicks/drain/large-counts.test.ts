import { afterAll, expect, it } from "vitest";
import { packedCodes } from "../../../src/clicks/dimensions.ts";
import { PackedSums } from "../../../src/clicks/packed/sums.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";

const now = Date.parse("2026-05-15T12:30:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);

/** What is packed with this many clicks, all of the same kind, on a link. */
async function counting(table: string, link: string, clicks: number): Promise<Buffer> {
  const { rows } = await depsOf(core).pool.query<{ id: number; dimension: string }>(
    `select distinct v.id, v.dimension from click_values v join ${table} using (dimension, value)
     where v.dimension <> 'link' or v.value = $1`,
    [link],
  );
  const sums = new PackedSums();
  if (table.startsWith("all_link")) sums.quarterHour(50, clicks, clicks, clicks);
  for (const { id, dimension } of rows) sums.value(packedCodes.get(dimension) ?? -1, id, clicks);
  return sums.pack();
}

it.each([2 ** 31, Number.MAX_SAFE_INTEGER])("counts and reads up to %d clicks", async (total) => {
  const { links, analytics } = core.caller(await actor("pro"));
  const { id } = await links.create({ url });
  const { pool } = depsOf(core);
  await core.clicks.record(clickOn(id, { time: now, variant: 0 }));
  for (const table of ["link_days", "account_days"])
    await pool.query(`update ${table} set clicks = $1, visitors = $1, bots = $1`, [total - 1]);
  await pool.query("update link_days set packed = $1", [await counting("link_day_values", id, total - 1)]);
  const ofAccount = await counting("account_day_values", id, total - 1);
  await pool.query("update account_sums set packed = $1", [ofAccount]);
  await pool.query("update links set click_count = $1", [total - 1]);

  await core.clicks.record(clickOn(id, { time: now, variant: 0, address: "9.9.9.9" }));
  await core.clicks.record(clickOn(id, { time: now, user_agent: "curl/8.5.0" }));

  const counts = { clicks: total, visitors: total, bots: total };
  const found = { ...counts, referrers: [{ clicks: total }], top_links: [{ id, clicks: total }] };
  for (const period of ["7d", "1y"] as const) {
    expect(await analytics.overview({ period })).toMatchObject(found);
    expect(await analytics.link({ id, period })).toMatchObject(found);
  }
  const date = "2026-05-15";
  expect(await analytics.dailyStats({ id, from: date, to: date, tz: "UTC" })).toEqual([
    { date, clicks: total, visitors: total },
  ]);
  expect((await links.get({ id })).click_count).toBe(total);
});
