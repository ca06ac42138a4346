import type { PoolClient } from "pg";
import { maxListed } from "./breakdown-sql.ts";
import { byClicks, labelOf } from "./breakdowns.ts";
import { type Breakdowns, type ValueCount } from "./question.ts";
import { areFirstKnown, type DimensionSums, type SignedSums, ValueSums } from "./value-sums.ts";

/** Clicks of a value in rows. `id` is its id in packed sums; null if there is none. */
export interface ValueRow {
  dimension: string;
  value: string;
  clicks: string;
  id: number | null;
}

/** Dimensions with any number of values, of which the `maxListed` with most clicks are listed. */
const ranked: ReadonlySet<string> = new Set(["referrer", "link"]);

/**
 * Adds what is not packed to the sums of what is: raw clicks at the edges of a window. `readWhole` reads what is packed without heads, if these do not tell everything that is listed.
 */
export async function breakdownsFrom(
  database: Pick<PoolClient, "query">,
  packed: ValueSums,
  rows: readonly ValueRow[],
  readWhole?: () => Promise<readonly SignedSums[]>,
): Promise<Breakdowns> {
  let sums = packed;
  let others = addRows(sums, rows);
  if (readWhole && !sums.entries().every(([name, values]) => areFirstKnown(values, listedOf(name)))) {
    sums = new ValueSums().add(await readWhole());
    others = addRows(sums, rows);
  }
  const listed = sums.entries().map(([dimension, values]) => [dimension, most(dimension, values)] as const);
  const texts = await textsOf(
    database,
    listed.flatMap(([, values]) => values.map(({ id }) => id)),
  );
  return new Map(
    listed.map(([dimension, values]) => {
      const named = values.flatMap(({ id, sum }) => {
        const value = texts.get(id);
        return value === undefined ? [] : { value, clicks: sum };
      });
      const all = [...named, ...(others.get(dimension) ?? [])].filter(({ clicks }) => clicks > 0);
      return [dimension, ranked.has(dimension) ? top(dimension, all) : all] as const;
    }),
  );
}

/** Adds rows to the sums. Returns those without an id. */
function addRows(sums: ValueSums, rows: readonly ValueRow[]): Map<string, ValueCount[]> {
  const others = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks, id } of rows) {
    const known = id === null ? undefined : sums.of(dimension)?.known;
    if (id !== null && known) known.add(id, Number(clicks));
    else others.set(dimension, [...(others.get(dimension) ?? []), { value, clicks: Number(clicks) }]);
  }
  return others;
}

const listedOf = (dimension: string): number =>
  ranked.has(dimension) ? maxListed : Number.POSITIVE_INFINITY;

/** Leaves out values that are not listed, of which there may be many. */
const most = (dimension: string, { known }: DimensionSums): { id: number; sum: number }[] =>
  known.atLeast(ranked.has(dimension) ? Math.max(known.largest(maxListed), 1) : 1);

/** Texts of packed values by their ids. */
export async function textsOf(
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

/** The values with most clicks, ties by label. */
export function top(dimension: string, values: readonly ValueCount[]): ValueCount[] {
  const labelled = values.map(({ value, clicks }) => ({
    value: labelOf(dimension, value),
    clicks,
    stored: value,
  }));
  return labelled
    .toSorted(byClicks)
    .slice(0, maxListed)
    .map(({ stored, clicks }) => ({ value: stored, clicks }));
}
