import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readAccountBreakdowns } from "../../src/analytics/account-breakdowns.ts";
import { planBreakdowns } from "../../src/analytics/window-plan.ts";
import { windowOf } from "../../src/analytics/periods.ts";
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

/** Creates an account with these referrers in its rollups, by day and by month. */
async function accountWith(counts: Counts): Promise<string> {
  const { id } = await account("pro");
  const given = counts.filter(([, , clicks]) => clicks > 0);
  await pool.query(
    `with t as (select * from unnest($2::text[], $3::date[], $4::int[]) as t (value, day, clicks)),
     months as (
       insert into account_month_values (account_id, dimension, value, month, clicks)
       select $1, 'referrer', value, date_trunc('month', day::timestamp)::date as month, sum(clicks) from t group by value, month
     )
     insert into account_day_values (account_id, dimension, value, day, clicks) select $1, 'referrer', * from t`,
    [id, given.map(([value]) => value), given.map(([, day]) => day), given.map(([, , clicks]) => clicks)],
  );
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
const shapes: [name: string, counts: Counts, statements: number][] = [
  ["few values", counts(5, (value) => value), 1],
  ["as many values as are listed", counts(100, (value) => value + 1), 1],
  [
    "many values, a few of them with many clicks",
    counts(600, (value) => 5000 / (value + 1) ** 1.3 + random()),
    1,
  ],
  ["powers of two, where levels start", counts(400, (value) => 2 ** (value % 12)), 2],
  ["all equal", counts(400, () => 7), 2],
  ["all nearly equal", counts(400, () => 1 + random() * 9), 2],
  [
    "one that is not among the first of any day, but has the most clicks in total",
    counts(1000, (value, day) => {
      if (value === 999) return 900;
      // On each day 200 others have more clicks, but only on that day.
      return Math.floor(value / 200) === day % 5 && value < 999 ? 1000 : 0;
    }),
    2,
  ],
  [
    "new values every day",
    counts(2600, (value, day) => (Math.floor(value / 20) === day ? 100 + value : 0)),
    2,
  ],
];

describe.each(shapes)("%s", (_name, all, statements) => {
  let id = "";
  beforeAll(async () => {
    id = await accountWith(all);
  });

  it.each(["7d", "30d", "90d", "all"] as const)(
    "gives the same first hundred as a sum of all rows: %s",
    async (period) => {
      const window = windowOf(period, "UTC", now, Date.parse("2026-08-01"));
      const plan = planBreakdowns(window, { months: true, rawIsKept: true });
      let queries = 0;
      const database = {
        query: (query: never) => {
          queries++;
          return pool.query(query);
        },
      } as never;
      const values = await readAccountBreakdowns(database, { kind: "account", id, accountId: id }, plan);
      const sorted = values
        .get("referrer")
        ?.toSorted((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
      expect(sorted).toEqual(naive(all, window.from, window.to));
      expect(queries).toBeLessThanOrEqual(statements);
    },
  );
});

it("reads no more rows of many values than of few, by the index on levels", async () => {
  const database = await pool.connect();
  onTestFinished(() => database.release(true));
  // PostgreSQL reads small tables without an index; this test is about large ones.
  await database.query("set enable_seqscan = off; set enable_bitmapscan = off");
  const rowsRead = async (values: number) => {
    const id = await accountWith(
      counts(values, (value, day) => (day === 0 || day > 40 ? 0 : 9000 / (value + 1) + 1)),
    );
    await pool.query("analyze account_day_values, account_month_values");
    const plan = planBreakdowns(windowOf("30d", "UTC", now), { months: true, rawIsKept: true });
    let read = 0;
    const explain = {
      async query({ text, values: parameters }: { text: string; values: unknown[] }) {
        const { rows } = await database.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) ${text}`,
          parameters,
        );
        read += scanned((rows[0] as (typeof rows)[number])["QUERY PLAN"][0].Plan);
        return { rows: [] };
      },
    } as never;
    await readAccountBreakdowns(explain, { kind: "account", id, accountId: id }, plan);
    return read;
  };
  const few = await rowsRead(300);
  expect(few).toBeGreaterThan(1000);
  expect(await rowsRead(2000)).toBeLessThanOrEqual(few * 1.2);
});

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

/** Rows returned by scans of tables. */
const scanned = (node: PlanNode): number =>
  (node["Relation Name"] ? node["Actual Rows"] * node["Actual Loops"] : 0) +
  (node.Plans ?? []).reduce((sum, child) => sum + scanned(child), 0);
