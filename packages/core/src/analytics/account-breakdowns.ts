import type { PoolClient } from "pg";
import { shortDimensions } from "../clicks/index.ts";
import {
  type BreakdownRow,
  breakdownsOf,
  maxListed,
  rawClicks,
  rawValues,
  valueOrder,
} from "./breakdown-sql.ts";
import type { Breakdowns } from "./breakdowns.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, daysIn, monthsIn, partOf } from "./sql.ts";
import type { BreakdownPlan } from "./window-plan.ts";

/** Rows of each month and day that are read first. */
const firstRows = 150;
/** With at most this many clicks, reading all rows is faster than proving that a few are enough. */
const fewClicks = 10_000;
/** Dimensions with any number of values. */
const ranked = ["referrer", "link"];

/** With `value` null: the maximum of clicks that a value of the dimension can have if none of its rows was read */
type Row = Omit<BreakdownRow, "value"> & { value: string | null };

/**
 * Reads an account's breakdowns in a window; of referrers and links, the `maxListed` with most clicks.
 *
 * It is exact without reading everything, by the threshold algorithm (Fagin, Lotem and Naor, Optimal Aggregation
 * Algorithms for Middleware, 2001): the first rows of each month and day are read by descending level, and a value that
 * is not among them has at most the clicks of the last level read. The values found are summed by primary key; they are
 * the top ones if the last of them has more clicks than all these bounds together. If values are too similar for that
 * proof, all rows are read. `clicks` is the window's total, if known; if it is small, all rows are read at once.
 */
export async function readAccountBreakdowns(
  database: Pick<PoolClient, "query">,
  { id }: AnalyticsScope,
  { months, days, daysAfter, raw }: BreakdownPlan,
  clicks = Number.POSITIVE_INFINITY,
): Promise<Breakdowns> {
  const values = [
    id,
    ...dates(months),
    ...dates(days),
    ...dates(daysAfter),
    ...partOf(raw.start),
    ...partOf(raw.end),
  ];
  const readAll = async (dimensions: readonly string[]) => {
    const query = { name: "all-account-values", text: allValues, values: [...values, dimensions] };
    return breakdownsOf((await database.query<BreakdownRow>(query)).rows);
  };
  if (clicks <= fewClicks) return readAll([...shortDimensions, ...ranked]);
  const { rows } = await database.query<Row>({
    name: "account-values",
    text: firstByLevel,
    values: [...values, monthsIn(months), daysIn(days), firstRows],
  });
  const isBound = (row: Row) => row.value === null;
  const breakdowns = breakdownsOf(rows.filter((row): row is BreakdownRow => !isBound(row)));
  const unproven = rows.filter(isBound).flatMap((row) => {
    const bound = Number(row.clicks);
    const last = breakdowns.get(row.dimension)?.[maxListed - 1];
    return bound === 0 || (last !== undefined && last.clicks > bound) ? [] : row.dimension;
  });
  if (unproven.length === 0) return breakdowns;
  const proven = [...breakdowns].filter(([dimension]) => !unproven.includes(dimension));
  return new Map([...proven, ...(await readAll(unproven))]);
}

/** Parameters of both statements: account; bounds of months, days and days after; raw parts. */
const rawTables = `
    raw as materialized (${rawClicks(1, 8)}),
    raw_values as materialized (
      ${rawValues} union all select 'link', link_id::text, sum(sign) from raw group by 2
    )`;

const summed = (dimensions: string) => `
  select dimension, value, sum(clicks) as clicks from (
    select dimension, value, clicks from account_month_values
      where account_id = $1 and dimension = any(${dimensions}) and month >= $2 and month < $3
    union all
    select dimension, value, clicks from account_day_values
      where account_id = $1 and dimension = any(${dimensions}) and day >= $4 and day < $5
    union all
    select dimension, value, -clicks from account_day_values
      where account_id = $1 and dimension = any(${dimensions}) and day >= $6 and day < $7
    union all
    select dimension, value, clicks from raw_values where dimension = any(${dimensions})
  ) t group by dimension, value having sum(clicks) > 0`;

const top = (from: string) => `
  select dimension, value, clicks from (
    select dimension, value, clicks, row_number() over (partition by dimension order by clicks desc, ${valueOrder}) as place
    from ${from}
  ) t where place <= ${maxListed} or dimension = any('{${shortDimensions.join()}}')`;

const allValues = `with ${rawTables}, summed as (${summed("$14::text[]")}) ${top("summed")} order by place`;

/** The first rows of each month or day by level, as arrays, and the maximum of clicks that its other rows can have. */
const listsOf = (time: "month" | "day", param: number) => `
  select r.dimension, l.* from ranked r, unnest($${param}::date[]) as p (start), lateral (
    select array_agg(value) as values, array_agg(clicks) as clicks,
      case when count(*) < $16 then 0 else floor(power(2, (min(level) + 1) / 4.0) + 0.001) end as bound
    from (
      select value, clicks, level from account_${time}_values v
      where account_id = $1 and v.dimension = r.dimension and v.${time} = p.start order by level desc limit $16
    ) t
  ) l`;

const sumOf = (time: "month" | "day", from: number) => `
  (select coalesce(sum(v.clicks), 0) from account_${time}_values v
    where account_id = $1 and v.dimension = c.dimension and v.value = c.value collate "default"
      and v.${time} >= $${from} and v.${time} < $${from + 1})`;

/** Further parameters: months, days, number of rows to read of each. */
const firstByLevel = `
  with
    ranked (dimension) as (select unnest('{${ranked.join()}}'::text[])),
    ${rawTables},
    after as materialized (
      select dimension, value, sum(clicks) as clicks from account_day_values
      where account_id = $1 and dimension = any('{${ranked.join()}}') and day >= $6 and day < $7 group by dimension, value
    ),
    lists as materialized (${listsOf("month", 14)} union all ${listsOf("day", 15)}),
    raw_listed as materialized (
      select r.dimension, t.value, t.clicks from ranked r, lateral (
        select value, clicks from raw_values v where v.dimension = r.dimension and clicks > 0 order by clicks desc limit $16
      ) t
    ),
    bounds as materialized (
      select dimension, coalesce(l.bound, 0) as listed, coalesce(w.bound, 0) as raw
      from ranked left join (select dimension, sum(bound) as bound from lists group by dimension) l using (dimension)
        left join (
          select dimension, case when count(*) < $16 then 0 else min(clicks) end as bound from raw_listed group by dimension
        ) w using (dimension)
    ),
    seen as (
      select dimension, value, sum(clicks) as clicks, sum(bound) as bound
      from (
        select dimension, t.value collate "C" as value, t.clicks, bound
        from lists l, unnest(l.values, l.clicks) as t (value, clicks)
        union all select dimension, value collate "C", 0, 0 from raw_listed
      ) t group by dimension, value
    ),
    candidates as materialized (
      select s.dimension, s.value, coalesce(r.clicks, 0) - coalesce(a.clicks, 0) as rest,
        s.clicks + coalesce(r.clicks, 0) - coalesce(a.clicks, 0) as known, b.listed - s.bound as unknown
      from seen s join bounds b using (dimension)
        left join raw_values r on r.dimension = s.dimension and r.value = s.value collate "default"
        left join after a on a.dimension = s.dimension and a.value = s.value collate "default"
    ),
    least as materialized (
      select r.dimension, (
        select known from candidates c where c.dimension = r.dimension order by known desc offset ${maxListed - 1} limit 1
      ) as known from ranked r
    ),
    exact as materialized (
      select c.dimension, c.value,
        case when c.unknown = 0 then c.known else ${sumOf("month", 2)} + ${sumOf("day", 4)} + c.rest end as clicks
      from candidates c join least l using (dimension) where c.known + c.unknown >= coalesce(l.known, 0)
    )
  ${top("exact where clicks > 0")}
  union all
  select dimension, null, listed + raw from bounds
  union all
  ${summed(`'{${shortDimensions.join()}}'`)}`;
