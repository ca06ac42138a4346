import type { PoolClient } from "pg";
import { packedCodes, readLinkDay } from "../clicks/index.ts";
import { maxListed, rawClicks, rawValues } from "./breakdown-sql.ts";
import { type Breakdowns, byClicks, labelOf, type ValueCount } from "./breakdowns.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, partOf } from "./sql.ts";
import type { BreakdownPlan } from "./window-plan.ts";

/** Clicks of a value in rows. `id` is its id in packed days; null if no packed day has it. */
interface Row {
  dimension: string;
  value: string;
  clicks: string;
  id: number | null;
}

/** Reads a link's breakdowns in a window; of referrers the `maxListed` with most clicks. */
export async function readLinkBreakdowns(
  database: Pick<PoolClient, "query">,
  { id, accountId }: AnalyticsScope,
  { days, raw }: BreakdownPlan,
): Promise<Breakdowns> {
  const { rows: packed } = await database.query<{ packed: Buffer }>({
    name: "link-packed-days",
    text: "select packed from link_days where link_id = $1 and day >= $2 and day < $3 and packed is not null",
    values: [id, ...dates(days)],
  });
  const { rows } = await database.query<Row>({
    name: "link-values",
    text: `with raw as materialized (${rawClicks(2, 5, "and link_id = $1")})
           select dimension, value, t.clicks, c.id
           from (
             select dimension, value, sum(clicks) as clicks from (
               select dimension, value, clicks from link_day_values where link_id = $1 and day >= $3 and day < $4
               union all ${rawValues}
               union all select 'variant', variant::text, sum(sign) from raw where variant is not null group by 2
             ) t group by 1, 2
           ) t left join click_values c using (dimension, value)`,
    values: [id, accountId, ...dates(days), ...partOf(raw.start), ...partOf(raw.end)],
  });
  const sums = addUp(packed.map((day) => day.packed));
  const others = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks, id: known } of rows) {
    const values = known === null ? undefined : sums.get(dimension);
    if (known !== null && values) values.set(known, (values.get(known) ?? 0) + Number(clicks));
    else others.set(dimension, [...(others.get(dimension) ?? []), { value, clicks: Number(clicks) }]);
  }
  const listed = new Map(Array.from(sums, ([dimension, values]) => [dimension, most(dimension, values)]));
  const texts = await textsOf(
    database,
    [...listed.values()].flatMap((values) => [...values.keys()]),
  );
  return new Map(
    Array.from(listed, ([dimension, values]) => {
      const named = Array.from(values, ([value, clicks]) => ({ value: texts.get(value), clicks })).filter(
        (each): each is ValueCount => each.value !== undefined,
      );
      const all = [...named, ...(others.get(dimension) ?? [])].filter(({ clicks }) => clicks > 0);
      return [dimension, dimension === "referrer" ? top(all) : all] as const;
    }),
  );
}

type Sums = Map<number, number>;

/** Clicks by dimension and by value's id. */
function addUp(days: readonly Buffer[]): Map<string, Sums> {
  const byCode: Sums[] = Array.from(packedCodes, () => new Map());
  const reader = {
    value(dimension: number, value: number, clicks: number) {
      // Another version may have more dimensions.
      const sums = byCode[dimension];
      if (sums !== undefined) sums.set(value, (sums.get(value) ?? 0) + clicks);
    },
  };
  for (const day of days) readLinkDay(day, reader);
  return new Map(Array.from(packedCodes, ([dimension, code]) => [dimension, byCode[code] as Sums]));
}

/** Leaves out referrers that cannot be among the `maxListed` with most clicks, of which there may be many. */
function most(dimension: string, values: Sums): Sums {
  if (dimension !== "referrer" || values.size <= maxListed) return values;
  const least = Float64Array.from(values.values()).sort().at(-maxListed) ?? 0;
  return new Map([...values].filter(([, clicks]) => clicks >= least));
}

async function textsOf(
  database: Pick<PoolClient, "query">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{ id: number; value: string }>({
    name: "packed-values",
    text: "select id, value from click_values where id = any($1::int[])",
    values: [ids],
  });
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** The `maxListed` referrers with most clicks, ties by label. */
const top = (referrers: readonly ValueCount[]): ValueCount[] =>
  referrers
    .map((each) => ({ ...each, label: labelOf("referrer", each.value) }))
    .toSorted((a, b) => byClicks({ value: a.label, clicks: a.clicks }, { value: b.label, clicks: b.clicks }))
    .slice(0, maxListed)
    .map(({ value, clicks }) => ({ value, clicks }));
