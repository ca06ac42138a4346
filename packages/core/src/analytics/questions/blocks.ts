import type { PoolClient } from "pg";
import {
  BlockCounter,
  blockHeads,
  forEachBlock,
  type Key,
  none,
  type Sum,
  type TimeStep,
} from "../../clicks/index.ts";
import { sqlArray } from "../../db/sql-array.ts";
import type { Selection } from "./conditions.ts";

/**
 * Counts a selection's clicks in blocks, in several groupings at once. The connection must see one snapshot, so that each click is
 * in a row or in a block for both statements. `isBot` instead of the selection's own kind.
 */
export async function countBlocks(
  database: Pick<PoolClient, "query">,
  { account, isBot: ownKind, blockConditions }: Pick<Selection, "account" | "isBot" | "blockConditions">,
  { from, to }: { from: number; to: number },
  groupings: readonly (readonly Key[])[],
  { isBot = ownKind, withTimes = false }: { isBot?: boolean; withTimes?: boolean } = {},
): Promise<Sum[][]> {
  const heads = await blockHeads(database, { account, isBot, from, to });
  if (heads.length === 0) return groupings.map(() => []);
  const counter = new BlockCounter({ from, to, conditions: await blockConditions(), groupings, withTimes });
  await forEachBlock(database, { account, isBot }, heads, ({ head, block }) => counter.add(block, head));
  return counter.sums();
}

/** The place of a time among bounds, from 1, as `width_bucket` has it. */
export function placeAmong(bounds: readonly number[]): TimeStep {
  return (time) => {
    let [low, high] = [0, bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] as number) <= time) low = middle + 1;
      else high = middle;
    }
    return { value: low, until: bounds[low] ?? Number.POSITIVE_INFINITY };
  };
}

/** The clicks and visitors of all sums. */
export const totalOf = (sums: readonly Sum[]): { clicks: number; visitors: number } => ({
  clicks: sums.reduce((total, { clicks }) => total + clicks, 0),
  visitors: sums.reduce((total, { visitors }) => total + visitors, 0),
});

/** A key of sums as a column of a statement, by its place. */
export const keyColumn = (sums: readonly Sum[], place: number): readonly ["int", string] => [
  "int",
  sqlArray(sums.map(({ values }) => cell(values[place]))),
];

/** A value as an element of an array: null instead of `none`. */
export const cell = (value = none): number | "null" => (value === none ? "null" : value);
