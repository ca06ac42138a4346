import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccountBreakdowns } from "../../src/analytics/account-breakdowns.ts";
import { planBreakdowns } from "../../src/analytics/window-plan.ts";
import { windowOf } from "../../src/analytics/periods.ts";
import { packedCodes } from "../../src/clicks/dimensions.ts";
import { Additions, addAccountSums, monthOf } from "../../src/clicks/drain/rollups/account-sums.ts";
import { inSnapshot } from "../../src/db/snapshot.ts";
import { inTransaction } from "../../src/db/transaction.ts";
import { createTestCore } from "../../src/testing/index.ts";
import { depsOf } from "../helpers.ts";
import { randomFrom } from "./naive.ts";

const { core, account, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

const now = Date.parse("2026-11-21T12:00:00Z");
const dayMs = 86_400_000;
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
/** From before the oldest window until tomorrow, as clocks can be ahead. */
const allDays = Array.from({ length: 130 }, (_, at) => dayAt(now + (1 - at) * dayMs));

type Counts = [value: string, day: string, clicks: number][];

/** Creates an account with these referrers in its sums: those of every third day as rows, as versions before stored them. */
async function accountWith(counts: Counts): Promise<string> {
  const { id } = await account("pro");
  const given = counts.filter(([, , clicks]) => clicks > 0);
  const isRow = (day: string) => Date.parse(day) % (3 * dayMs) === 0;
  const rows = given.filter(([, day]) => isRow(day));
  await pool.query(
    `with t as (select * from unnest($2::text[], $3::date[], $4::int[]) as t (value, day, clicks)),
     months as (
       insert into account_month_values (account_id, dimension, value, month, clicks)
       select $1, 'referrer', value, date_trunc('month', day::timestamp)::date as month, sum(clicks) from t group by value, month
     )
     insert into account_day_values (account_id, dimension, value, day, clicks) select $1, 'referrer', * from t`,
    [id, rows.map(([value]) => value), rows.map(([, day]) => day), rows.map(([, , clicks]) => clicks)],
  );
  const { rows: ids } = await pool.query<{ id: number; value: string }>(
    `with added as (
       insert into click_values (dimension, value) select distinct 'referrer', unnest($1::text[]) on conflict do nothing
       returning id, value
     ) select id, value from added union select id, value from click_values where dimension = 'referrer'`,
    [given.map(([value]) => value)],
  );
  const idOf = new Map(ids.map((row) => [row.value, row.id]));
  const code = packedCodes.get("referrer") as number;
  await inTransaction(pool, async (database) => {
    for (const [day, some] of Map.groupBy(given, ([, date]) => date)) {
      if (isRow(day)) continue;
      const additions = new Additions();
      for (const [value, , clicks] of some)
        for (const sums of [additions.of(id, "day", day), additions.of(id, "month", monthOf(day))])
          sums.value(code, idOf.get(value) as number, clicks);
      await addAccountSums(database, additions.sorted());
    }
    return true;
  });
  return id;
}

/** The clicks of each value on each day. */
const counts = (values: number, clicksOf: (value: number, day: number) => number): Counts =>
  allDays.flatMap((day, at) =>
    Array.from({ length: values }, (_, value): Counts[number] => [
      `v${String(value).padStart(5, "0")}`,
      day,
      Math.floor(clicksOf(value, at)),
    ]),
  );

function naive(all: Counts, from: number, to: number) {
  const sums = new Map<string, number>();
  for (const [value, day, clicks] of all) {
    const time = Date.parse(day);
    if (time >= from && time < to && clicks > 0) sums.set(value, (sums.get(value) ?? 0) + clicks);
  }
  return Array.from(sums, ([value, clicks]) => ({ value, clicks }))
    .toSorted((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .slice(0, 100);
}

const random = randomFrom(7);
const shapes: [name: string, counts: Counts][] = [
  ["few values", counts(5, (value) => value)],
  ["as many values as are listed", counts(100, (value) => value + 1)],
  [
    "many values, a few of them with many clicks",
    counts(600, (value) => 5000 / (value + 1) ** 1.3 + random()),
  ],
  ["powers of two", counts(400, (value) => 2 ** (value % 12))],
  ["all equal", counts(400, () => 7)],
  ["all nearly equal", counts(400, () => 1 + random() * 9)],
  [
    "one that is not among the first of any day, but has the most clicks in total",
    counts(1000, (value, day) => {
      if (value === 999) return 900;
      // On each day 200 others have more clicks, but only on that day.
      return Math.floor(value / 200) === day % 5 && value < 999 ? 1000 : 0;
    }),
  ],
  ["new values every day", counts(2600, (value, day) => (Math.floor(value / 20) === day ? 100 + value : 0))],
];

describe.each(shapes)("%s", (_name, all) => {
  let id = "";
  beforeAll(async () => {
    id = await accountWith(all);
  });

  it.each(["7d", "30d", "90d", "all"] as const)(
    "gives the same first hundred as a sum of all rows: %s",
    async (period) => {
      const window = windowOf(period, "UTC", now, Date.parse("2026-08-01"));
      const plan = planBreakdowns(window, { months: true, rawIsKept: true });
      const scope = { kind: "account", id, accountId: id } as const;
      const values = await inSnapshot(pool, (database) => readAccountBreakdowns(database, scope, plan));
      const sorted = values
        .get("referrer")
        ?.toSorted((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
      expect(sorted).toEqual(naive(all, window.from, window.to));
    },
  );
});

it("large sums are in few parts, and in one if they are small", async () => {
  const partsOf = async (values: number) => {
    const id = await accountWith(counts(values, () => 1));
    const { rows } = await pool.query<{ parts: number }>(
      "select max(count)::int as parts from (select count(*) from account_sums where account_id = $1 group by period, start) t",
      [id],
    );
    return rows[0]?.parts;
  };
  expect(await partsOf(50)).toBe(1);
  const parts = await partsOf(6000);
  expect(parts).toBeGreaterThan(1);
  expect(parts).toBeLessThanOrEqual(16);
});
