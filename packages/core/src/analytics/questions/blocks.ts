import type { PoolClient } from "pg";
import { none } from "../../clicks/blocks/block.ts";
import { BlockCounter, type Key, type Sum, type TimeStep } from "../../clicks/blocks/count.ts";
import { blockHeads, forEachBlock, type ReadBlock } from "../../clicks/blocks/read-blocks.ts";
import { sqlArray } from "../../db/arrays.ts";
import { firstWhere } from "../../kernel/numbers.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Selection } from "./conditions.ts";
import { countCopied } from "./copied.ts";

interface CountOptions {
  /** Instead of the selection's own kind */
  isBot?: boolean;
  withTimes?: boolean;
  /** Called when the database has only to send blocks; not called if there are none */
  meanwhile?: () => void;
  /** A grouping with more sums is 400, which says `refusal` */
  limit?: { most: number; refusal: string };
}

/** Sums by several values, of which there may be as many as clicks: they take 600 bytes of this process each. */
export const maxSums = 500_000;

/**
 * Counts a selection's clicks in blocks, in several groupings at once. The connection must see one snapshot, so that each click is
 * in a row or in a block for both statements. ClickHouse has all of them, if it is asked instead.
 */
export async function countBlocks(
  database: Pick<PoolClient, "query">,
  {
    account,
    isBot: ownKind,
    blockConditions,
    copied,
  }: Pick<Selection, "account" | "isBot" | "blockConditions" | "copied">,
  { from, to }: { from: number; to: number },
  groupings: readonly (readonly Key[])[],
  { isBot = ownKind, withTimes = false, meanwhile, limit }: CountOptions = {},
): Promise<Sum[][]> {
  const demandFew = (sums: number) => {
    if (limit && sums > limit.most) throw new AppError("BAD_REQUEST", limit.refusal);
  };
  if (copied) {
    const conditions = await blockConditions();
    const found = await countCopied(copied, { account, isBot, conditions, from, to }, groupings, limit?.most);
    for (const { length } of found) demandFew(length);
    return found;
  }
  const heads = await blockHeads(database, { account, isBot, from, to });
  if (heads.length === 0) return groupings.map(() => []);
  const counter = new BlockCounter({ from, to, conditions: await blockConditions(), groupings, withTimes });
  const add = ({ head, block }: ReadBlock) => {
    counter.add(block, head);
    demandFew(counter.size);
  };
  await forEachBlock(database, { account, isBot }, heads, add, { meanwhile });
  return counter.sums();
}

/** The place of a time among bounds, from 1, as `width_bucket` has it. */
export function placeAmong(bounds: readonly number[]): TimeStep {
  const step = (time: number) => {
    const value = firstWhere(0, bounds.length, (at) => (bounds[at] as number) > time);
    return { value, until: bounds[value] ?? Number.POSITIVE_INFINITY };
  };
  return Object.assign(step, { bounds });
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
