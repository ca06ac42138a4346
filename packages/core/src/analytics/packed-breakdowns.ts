import type { PoolClient } from "pg";
import { packedCodes, readPacked } from "../clicks/index.ts";
import { maxListed } from "./breakdown-sql.ts";
import { type Breakdowns, byClicks, labelOf, type ValueCount } from "./breakdowns.ts";
import { IdSums } from "./id-sums.ts";

/** Packed sums that are added, or subtracted. */
export interface SignedSums {
  sign: 1 | -1;
  packed: Buffer;
}

/** Clicks of a value in rows. `id` is its id in packed sums; null if there is none. */
export interface ValueRow {
  dimension: string;
  value: string;
  clicks: string;
  id: number | null;
}

/** Dimensions with any number of values, of which the `maxListed` with most clicks are listed. */
const ranked: ReadonlySet<string> = new Set(["referrer", "link"]);

/** Adds up what is packed and what is not: raw clicks at the edges of a window, and rows of versions before. */
export async function breakdownsFrom(
  database: Pick<PoolClient, "query">,
  packed: readonly SignedSums[],
  rows: readonly ValueRow[],
): Promise<Breakdowns> {
  const sums = addUp(packed);
  const others = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks, id } of rows) {
    const known = id === null ? undefined : sums.get(dimension);
    if (id !== null && known) known.add(id, Number(clicks));
    else others.set(dimension, [...(others.get(dimension) ?? []), { value, clicks: Number(clicks) }]);
  }
  const listed = Array.from(sums, ([dimension, values]) => [dimension, most(dimension, values)] as const);
  const texts = await textsOf(
    database,
    listed.flatMap(([, values]) => values.map(({ id }) => id)),
  );
  return new Map(
    listed.map(([dimension, values]) => {
      const named = values.flatMap(({ id, clicks }) => {
        const value = texts.get(id);
        return value === undefined ? [] : { value, clicks };
      });
      const all = [...named, ...(others.get(dimension) ?? [])].filter(({ clicks }) => clicks > 0);
      return [dimension, ranked.has(dimension) ? top(dimension, all) : all] as const;
    }),
  );
}

/** Clicks by dimension and by value's id. */
function addUp(packed: readonly SignedSums[]): Map<string, IdSums> {
  const byCode = Array.from(packedCodes, () => new IdSums());
  for (const { sign, packed: bytes } of packed) {
    readPacked(bytes, {
      value(dimension, value, clicks) {
        // Another version may have more dimensions.
        byCode[dimension]?.add(value, sign * clicks);
      },
    });
  }
  return new Map(Array.from(packedCodes, ([dimension, code]) => [dimension, byCode[code] as IdSums]));
}

/** Leaves out values that are not listed, of which there may be many. */
function most(dimension: string, values: IdSums): { id: number; clicks: number }[] {
  const least = ranked.has(dimension) ? values.largest(maxListed) : Number.NEGATIVE_INFINITY;
  const found: { id: number; clicks: number }[] = [];
  for (const [id, clicks] of values) if (clicks >= least && clicks > 0) found.push({ id, clicks });
  return found;
}

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
