import type { Issue } from "../../kernel/issues.ts";
import { none } from "../../clicks/blocks/block.ts";
import {
  type BlockCondition,
  BlockCounter,
  type Key,
  type Sum,
  type TimeStep,
} from "../../clicks/blocks/count.ts";
import {
  listBlocks,
  type BlockRange,
  forEachBlock,
  type ReadBlock,
} from "../../clicks/blocks/read-blocks.ts";
import { sqlArray } from "../../db/arrays.ts";
import { firstWhere } from "../../kernel/numbers.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TimeRange } from "../question.ts";
import type { Selection } from "./conditions.ts";
import { firstIdAt, sequenceBits, timeOfId } from "../../clicks/click-id.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";

interface CountOptions {
  /** Instead of the selection's own kind */
  isBot?: boolean;
  withTimes?: boolean;
  /** Called when the database has only blocks left to send; not called if there are none */
  overlap?: () => void;
  /** A grouping with more sums is 400, which says `refusal` */
  limit?: { most: number; refusal: Issue };
}

/** Sums by several values, of which there may be as many as clicks: they take 600 bytes of this process each. */
export const maxSums = 500_000;

/**
 * Counts a selection's clicks in blocks, in several groupings at once. The connection must see one snapshot, so that each click is
 * in a row or in a block for both statements. ClickHouse has all of them, if it is asked instead.
 */
export async function countBlocks(
  { database, account, isBot: ownKind, blockConditions, copy }: Selection,
  { from, to }: TimeRange,
  groupings: readonly (readonly Key[])[],
  { isBot = ownKind, withTimes = false, overlap, limit }: CountOptions = {},
): Promise<Sum[][]> {
  const requireFew = (sums: number) => {
    if (limit && sums > limit.most) throw new AppError("BAD_REQUEST", limit.refusal);
  };
  if (copy) {
    const condition = conditionOn(copy, { account, isBot, conditions: await blockConditions(), from, to });
    const found = await Promise.all(groupings.map((keys) => sumsOf(copy, condition, keys, limit?.most)));
    for (const { length } of found) requireFew(length);
    return found;
  }
  const summaries = await listBlocks(database, { account, isBot, from, to });
  if (summaries.length === 0) return groupings.map(() => []);
  const counter = new BlockCounter({ from, to, conditions: await blockConditions(), groupings, withTimes });
  const add = ({ summary, block }: ReadBlock) => {
    counter.add(block, summary);
    requireFew(counter.size);
  };
  await forEachBlock(database, { account, isBot }, summaries, add, { overlap });
  return counter.sums();
}

/** The number of the interval between bounds that a time is in, from 1, as `width_bucket` has it. */
export function stepAmong(bounds: readonly number[]): TimeStep {
  const step = (time: number) => {
    const value = firstWhere(0, bounds.length, (at) => (bounds[at] as number) > time);
    return { value, until: bounds[value] ?? Number.POSITIVE_INFINITY };
  };
  return Object.assign(step, { bounds });
}

/** A key of sums, by its index, as a column of a statement. */
export const keyColumn = (sums: readonly Sum[], key: number): readonly ["int", string] => [
  "int",
  sqlArray(sums.map(({ values }) => cell(values[key]))),
];

/** A value as an element of an array: null instead of `none`. */
export const cell = (value = none): number | "null" => (value === none ? "null" : value);

/** Counts clicks in ClickHouse, as `countBlocks` does in PostgreSQL: statements have numbers only, so nothing can be put into them. */

/** SQL: the clicks from one time up to another that meet conditions. */
export const conditionOn = (
  { arrived }: ClickHouseClicks,
  { account, isBot, conditions, from, to }: BlockRange & { conditions: readonly BlockCondition[] },
): string =>
  [
    `account_number = ${account} and is_bot = ${Number(isBot)}`,
    `id >= ${firstIdAt(from)} and id < ${firstIdAt(to)} and ${arrived}`,
    ...conditions.map(({ column, ids, negated }) => `${column} ${negated ? "not " : ""}in ${setOf(ids)}`),
  ].join(" and ");

/** More ids are one text, which ClickHouse reads much faster than so many values. */
const maxListed = 1000;

function setOf(ids: ReadonlySet<number>): string {
  // No column has it.
  if (ids.size === 0) return `(${none - 1})`;
  const list = [...ids].join();
  return ids.size <= maxListed ? `(${list})` : `(select toInt32(arrayJoin(splitByChar(',', '${list}'))))`;
}

/** The sums of a grouping; of more than `most`, one more. */
async function sumsOf(
  { clickhouse }: ClickHouseClicks,
  condition: string,
  keys: readonly Key[],
  most?: number,
): Promise<Sum[]> {
  const columns = keys.map((key, at) => `${columnOf(key)} as key${at}`);
  const names = keys.map((_, at) => `key${at}`);
  const rows = await clickhouse.rows<string[]>(
    `select count(), countIf(unique = 1), min(id)${columns.map((column) => `, ${column}`).join("")}
     from clicks where ${condition} ${names.length > 0 ? `group by ${names.join()}` : "having count() > 0"}
     ${most === undefined ? "" : `limit ${most + 1}`}`,
  );
  return rows.map(([clicks, visitors, first = "", ...values]) => ({
    values: values.map((value, at) => valueOf(keys[at] as Key, value)),
    clicks: Number(clicks),
    visitors: Number(visitors),
    time: timeOfId(first),
  }));
}

/** SQL: what a key has of a click. */
function columnOf(key: Key): string {
  if (typeof key === "string") return `toInt64(${key})`;
  if (typeof key === "function") return stepOf(key);
  const [from, to] = [[...key.values.keys()], [...key.values.values()]];
  const column = columnOf(key.column);
  return from.length === 0 ? column : `transform(${column}, [${from.join()}], [${to.join()}], ${column})`;
}

/** SQL: the first id of a step among bounds, 0 before all; or the number of an even step. */
function stepOf({ bounds = [], every }: TimeStep): string {
  if (every !== undefined) return `intDiv(bitShiftRight(id, ${sequenceBits}), ${every})`;
  const ids = bounds.map(firstIdAt);
  return `if(id < ${ids[0]}, toInt64(0), toInt64(roundDown(id, [${ids.join()}])))`;
}

/** The value of a key as `countBlocks` has it. */
function valueOf(key: Key, text: string): number {
  if (typeof key !== "function" || key.bounds === undefined) return Number(text);
  return text === "0" ? 0 : key.bounds.lastIndexOf(timeOfId(text)) + 1;
}
