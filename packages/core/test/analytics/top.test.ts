import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBreakdowns } from "../../src/analytics/breakdowns/from-rollups.ts";
import { planBreakdowns } from "../../src/analytics/periods/plan.ts";
import type { Period } from "../../src/analytics/question.ts";
import { windowOf } from "../../src/analytics/periods/periods.ts";
import { packedCodes } from "../../src/clicks/dimensions.ts";
import {
  addAccountSums,
  createMerging,
  mergeParts,
  monthOf,
  SumsDeltas,
} from "../../src/clicks/drain/rollups/account-sums.ts";
import { inSnapshot, inTransaction } from "../../src/db/connection.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";
import { until } from "@terse/testkit";
import { randomFrom } from "./naive.ts";

const { core, account, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

const now = Date.parse("2026-11-21T12:00:00Z");
const dayMs = 86_400_000;
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
/** From before the oldest window until tomorrow, as clocks can be ahead. */
const allDays = Array.from({ length: 130 }, (_, at) => dayAt(now + (1 - at) * dayMs));

/** The clicks of values on a day; those without clicks are left out. */
interface Day {
  day: string;
  clicks: [value: string, clicks: number][];
}

const names = Array.from({ length: 6000 }, (_, value) => `v${String(value).padStart(5, "0")}`);

/** Creates an account with these referrers in its sums. */
async function accountWith(days: readonly Day[]): Promise<string> {
  const { id } = await account("pro");
  const { rows: ids } = await pool.query<{ id: number; value: string }>(
    `with added as (
       insert into click_values (dimension, value) select 'referrer', unnest($1::text[]) on conflict do nothing
       returning id, value
     ) select id, value from added union select id, value from click_values where dimension = 'referrer'`,
    [[...new Set(days.flatMap(({ clicks }) => clicks.map(([value]) => value)))]],
  );
  const idOf = new Map(ids.map((row) => [row.value, row.id]));
  const code = packedCodes.get("referrer") as number;
  await inTransaction(pool, async (database) => {
    for (const { day, clicks } of days) {
      const deltas = new SumsDeltas();
      const both = [deltas.of(id, "day", day), deltas.of(id, "month", monthOf(day))];
      for (const [value, count] of clicks)
        for (const sums of both) sums.value(code, idOf.get(value) as number, count);
      await addAccountSums(database, deltas.sorted());
    }
    return true;
  });
  return id;
}

/** The clicks of the first so many values on each day that has any. */
const counts = (values: number, clicksOf: (value: number, day: number) => number): Day[] =>
  allDays
    .map((day, at) => ({
      day,
      clicks: names
        .slice(0, values)
        .map((name, value): [string, number] => [name, Math.floor(clicksOf(value, at))])
        .filter(([, clicks]) => clicks > 0),
    }))
    .filter(({ clicks }) => clicks.length > 0);

function naive(days: readonly Day[], from: number, to: number) {
  const sums = new Map<string, number>();
  for (const { day, clicks } of days) {
    const time = Date.parse(day);
    if (time < from || time >= to) continue;
    for (const [value, count] of clicks) sums.set(value, (sums.get(value) ?? 0) + count);
  }
  return Array.from(sums, ([value, clicks]) => ({ value, clicks }))
    .toSorted((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .slice(0, 100);
}

/** Makes counts take three bytes, so that sums are large enough for a head. */
const many = 2 ** 14;
const random = randomFrom(7);
const shapes: [name: string, days: Day[]][] = [
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
  [
    "so many that sums have heads, which tell the first hundred",
    counts(6000, (value, day) =>
      value < 3000 || value % 7 === day % 7 ? many + (40_000 * many) / (value + 1) : 0,
    ),
  ],
  [
    "so many that sums have heads, of which most clicks are beside",
    counts(5000, (value) => many + (value % 3)),
  ],
  [
    "values that only some heads have",
    counts(5000, (value, day) => {
      if (value >= 120) return (40_000 * many) / (value + 1);
      return day % 50 === value % 50 ? 50_000 * many : many;
    }),
  ],
  [
    "heads without the one that has the most clicks in total",
    counts(5000, (value, day) => {
      if (value === 4999) return 900 * many;
      // On each day 1200 others have more clicks.
      return Math.floor(value / 1200) === day % 4 ? 1000 * many : 0;
    }),
  ],
  ["new values every day", counts(2600, (value, day) => (Math.floor(value / 20) === day ? 100 + value : 0))],
];

describe.each(shapes)("%s", (_name, all) => {
  let id = "";
  beforeAll(async () => {
    id = await accountWith(all);
  });

  it.each(["7d", "30d", "90d", "all", "merged 7d", "merged 30d", "merged 90d", "merged all"] as const)(
    "gives the same first hundred as a sum of all rows: %s",
    async (name) => {
      if (name.startsWith("merged")) {
        const merge = createMerging(pool, now - 2 * dayMs);
        while (await merge());
      }
      const period = name.replace("merged ", "") as Period;
      const window = windowOf(period, "UTC", now, Date.parse("2026-08-01"));
      const plan = planBreakdowns(window, { months: true, rawIsKept: true });
      const scope = { kind: "account", id, accountId: id } as const;
      const values = await inSnapshot(pool, (database) => readBreakdowns(database, scope, plan, []));
      const sorted = values
        .get("referrer")
        ?.toSorted((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
      expect(sorted).toEqual(naive(all, window.from, window.to));
    },
  );
});

it("large sums are in few parts, and in one if they are small", async () => {
  const partsOf = async (values: number) => {
    const ofMonth = counts(values, () => 1).filter(({ day }) => day.startsWith("2026-10"));
    const id = await accountWith(ofMonth);
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

it("parts of ended periods are merged, with a head if they are large", async () => {
  const all = counts(5000, (value) => many + (9000 * many) / (value + 1));
  const id = await accountWith(all);
  const merge = createMerging(pool, now - 2 * dayMs);
  while (await merge());
  const { rows } = await pool.query<{ period: string; start: string; parts: number; heads: number }>(
    `select period, start::text, count(*)::int as parts, count(head)::int as heads
     from account_sums where account_id = $1 group by 1, 2 order by 1, 2`,
    [id],
  );
  for (const { period, start, parts, heads } of rows) {
    if (period === "month" ? start < "2026-11-01" : start < "2026-11-19")
      expect({ parts, heads }).toEqual({ parts: 1, heads: 1 });
  }
  const { rows: read } = await pool.query<{ months: number; small: boolean }>(
    `select count(*)::int as months, bool_and(octet_length(head) * 3 < octet_length(packed)) as small from account_sums
     where account_id = $1 and period = 'month' and head is not null`,
    [id],
  );
  expect(read).toEqual([{ months: 5, small: true }]);
});

it("a part that is begun while others are merged is kept", async () => {
  const id = await accountWith([{ day: "2026-09-02", clicks: [["v00000", 5]] }]);
  const of = "account_id = $1 and period = 'month' and start = '2026-09-01'";
  const { rows } = await pool.query<{ packed: Buffer; part: number }>(
    `update account_sums set packed = packed || packed where ${of} returning packed, part`,
    [id],
  );
  const [last] = rows;
  const drain = await pool.connect();
  await drain.query("begin");
  await drain.query(`select from account_sums where ${of} for no key update`, [id]);
  await drain.query(
    "insert into account_sums (account_id, period, start, part, packed) values ($1, 'month', '2026-09-01', $2, $3)",
    [id, (last?.part ?? 0) + 1, last?.packed],
  );
  const merging = inTransaction(pool, async (database) => {
    await mergeParts(database, { account_id: id, period: "month", start: "2026-09-01" });
    return true;
  });
  await until(async () => {
    const waiting = await pool.query("select from pg_locks where not granted");
    return waiting.rowCount !== 0;
  });
  await drain.query("commit");
  drain.release();
  await merging;
  const { rows: sums } = await pool.query<{ clicks: string }>(
    `select sum(u.clicks) as clicks from account_sums, unpack_sums(packed) u where ${of}`,
    [id],
  );
  expect(Number(sums[0]?.clicks)).toBe(20);
});
