import type { PoolClient } from "pg";
import { clientColumns } from "../clicks/index.ts";
import type { ValuesPlan } from "./window-plan.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, daysIn, monthsIn, partOf } from "./sql.ts";
import { maxListed, rawClicks, rawValues, shown, type ValueRow, type Values, valuesOf } from "./values.ts";

/** Rows of each month and day that are read at first. */
const someRows = 150;
/** So few clicks have so few rows that reading all is quicker than proving that some are enough. */
const fewClicks = 10_000;
const ranked = ["referrer", "link"];

/** `value` null: the most clicks that a value of the dimension can have of which no row was read */
type Row = Omit<ValueRow, "value"> & { value: string | null };

/**
 * The values of an account in a window. Of referrers and links there is any number: those `most` with most clicks.
 *
 * Exact without reading everything (the threshold algorithm of Fagin, Lotem and Naor, Optimal Aggregation Algorithms for
 * Middleware, 2001): each month and day gives its values by level downwards, some rows each; whatever was not among them
 * has at most as many clicks as its level allows. Those that were are summed by primary key, and are the first ones if
 * the last of them has more than all the bounds together. Where values are too much alike for that, all rows are read,
 * and at once where there are few: `clicks` is the window's total, as far as it is known.
 */
export async function accountValues(
  database: Pick<PoolClient, "query">,
  owner: AnalyticsScope,
  cover: ValuesPlan,
  clicks = Number.POSITIVE_INFINITY,
): Promise<Values> {
  const shared = [owner.id, ...dates(cover.months), ...dates(cover.days), ...dates(cover.daysAfter)];
  const raw = [...partOf(cover.raw.start), ...partOf(cover.raw.end)];
  const readAll = async (dimensions: readonly string[]) => {
    const query = { name: "all-account-values", text: allValues, values: [...shared, ...raw, dimensions] };
    return valuesOf((await database.query<ValueRow>(query)).rows);
  };
  if (clicks <= fewClicks) return readAll([...clientColumns, ...ranked]);
  const { rows } = await database.query<Row>({
    name: "account-values",
    text: firstByLevel,
    values: [...shared, ...raw, monthsIn(cover.months), daysIn(cover.days), someRows],
  });
  const isBound = (row: Row) => row.value === null;
  const values = valuesOf(rows.filter((row): row is ValueRow => !isBound(row)));
  const open = rows.filter(isBound).flatMap((row) => {
    const bound = Number(row.clicks);
    const last = values.get(row.dimension)?.[maxListed - 1];
    return bound === 0 || (last !== undefined && last.clicks > bound) ? [] : row.dimension;
  });
  if (open.length === 0) return values;
  const settled = [...values].filter(([dimension]) => !open.includes(dimension));
  return new Map([...settled, ...(await readAll(open))]);
}

/** Parameters of both statements: account; bounds of months, days, days after; raw parts. */
const raws = `
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

const best = (from: string) => `
  select dimension, value, clicks from (
    select dimension, value, clicks, row_number() over (partition by dimension order by clicks desc, ${shown}) as place
    from ${from}
  ) t where place <= ${maxListed} or dimension = any('{${clientColumns.join()}}')`;

const allValues = `with ${raws}, summed as (${summed("$14::text[]")}) ${best("summed")} order by place`;

/** Each month's or day's first rows by level, gathered in one row, and how many clicks none of its other rows exceeds. */
const listsOf = (period: "month" | "day", param: number) => `
  select r.dimension, l.* from ranked r, unnest($${param}::date[]) as p (start), lateral (
    select array_agg(value) as values, array_agg(clicks) as clicks,
      case when count(*) < $16 then 0 else floor(power(2, (min(level) + 1) / 4.0) + 0.001) end as bound
    from (
      select value, clicks, level from account_${period}_values v
      where account_id = $1 and v.dimension = r.dimension and v.${period} = p.start order by level desc limit $16
    ) t
  ) l`;

const sumOf = (period: "month" | "day", from: number) => `
  (select coalesce(sum(v.clicks), 0) from account_${period}_values v
    where account_id = $1 and v.dimension = c.dimension and v.value = c.value collate "default"
      and v.${period} >= $${from} and v.${period} < $${from + 1})`;

/** Further parameters: months, days, how many rows of each. */
const firstByLevel = `
  with
    ranked (dimension) as (select unnest('{${ranked.join()}}'::text[])),
    ${raws},
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
  ${best("exact where clicks > 0")}
  union all
  select dimension, null, listed + raw from bounds
  union all
  ${summed(`'{${clientColumns.join()}}'`)}`;
