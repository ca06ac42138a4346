import { readPacked } from "../../clicks/packed/sums.ts";
import { firstWhere } from "../../kernel/numbers.ts";
import type { Database } from "../../db/statements.ts";
import { dayMs, quarterHourMs } from "../../kernel/time.ts";
import type { AnalyticsScope, Counts } from "../question.ts";
import { daysIn, planSeries, type Range, timestamps } from "./plan.ts";

/** Counts of a step, which is the number of a bound and ends at the next one, or a link's packed day. */
type Row = ({ step: number } & Record<keyof Counts, string>) | { step: null; start: string; packed: Buffer };

/** Reads the counts between each two of `bounds` (milliseconds since the epoch, ascending, multiples of 15 minutes). */
export async function readSeries(
  database: Database,
  { kind, id }: AnalyticsScope,
  bounds: readonly number[],
): Promise<Counts[]> {
  const { days, quarterHours } = planSeries(bounds);
  // One statement, since a link's rows may be packed between two.
  const { rows } = await database.query<Row>({
    name: `${kind}-series`,
    text: `select width_bucket(start, $2::timestamptz[]) as step,
             sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots, null as start, null as packed
           from (
             select d.day::timestamp at time zone 'UTC' as start, clicks, visitors, bots
             from unnest($3::date[], $4::date[]) as r (first, until), lateral (
               select * from ${kind}_days where ${kind}_id = $1 and day >= first and day < until
             ) d
             ${kind === "account" ? quarterHourRows : ""}
           ) t group by 1 ${kind === "link" ? packedDays : ""}`,
    values: [
      id,
      timestamps(bounds),
      ...startsAndEnds(days),
      ...(kind === "link" ? [daysWith(quarterHours)] : startsAndEnds(quarterHours)),
    ],
  });
  const counts = bounds.slice(1).map((): Counts => ({ clicks: 0, visitors: 0, bots: 0 }));
  function add(step: number, clicks: number, visitors: number, bots: number): void {
    const sum = counts[step - 1];
    if (sum === undefined) return;
    sum.clicks += clicks;
    sum.visitors += visitors;
    sum.bots += bots;
  }
  for (const row of rows) {
    if (row.step !== null) add(row.step, Number(row.clicks), Number(row.visitors), Number(row.bots));
    else
      readPacked(row.packed, {
        quarterHour(quarter, ...added) {
          const time = Number(row.start) + quarter * quarterHourMs;
          add(
            firstWhere(0, bounds.length, (at) => (bounds[at] as number) > time),
            ...added,
          );
        },
      });
  }
  return counts;
}

const startsAndEnds = (ranges: readonly Range[]) => [
  timestamps(ranges.map(([from]) => from)),
  timestamps(ranges.map(([, to]) => to)),
];

/** SQL: quarter hours of an account */
const quarterHourRows = `
  union all
  select q.start, clicks, visitors, bots
  from unnest($5::timestamptz[], $6::timestamptz[]) as r (first, until), lateral (
    select * from account_quarter_hours where account_id = $1 and start >= first and start < until
  ) q`;

/** SQL: the days of a link that have quarter hours of the series */
const packedDays = `
  union all
  select null, null, null, null, extract(epoch from day) * 1000, packed
  from link_days where link_id = $1 and day = any($5::date[])`;

const daysWith = (ranges: readonly Range[]): string[] =>
  ranges.flatMap(([from, to]) => daysIn([from - (from % dayMs), to + dayMs - 1]));
