import type { BlockCondition, Key, Sum, TimeStep } from "../../clicks/blocks/count.ts";
import { firstIdAt, sequenceBits, timeOfId } from "../../clicks/click-id.ts";
import { none } from "../../clicks/blocks/block.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";

/** Counts clicks in ClickHouse, as `countBlocks` does in PostgreSQL: statements have numbers only, so nothing can be put into them. */

/** Which clicks are counted. */
export interface CopiedSelection {
  account: number;
  isBot: boolean;
  conditions: readonly BlockCondition[];
  from: number;
  to: number;
}

/** The sums of each grouping; of more than `most`, one more. */
export function countCopied(
  copied: ClickHouseClicks,
  selection: CopiedSelection,
  groupings: readonly (readonly Key[])[],
  most?: number,
): Promise<Sum[][]> {
  const condition = conditionOn(copied, selection);
  return Promise.all(groupings.map((keys) => sumsOf(copied, condition, keys, most)));
}

/** SQL: the clicks of a selection. */
export const conditionOn = (
  { arrived }: ClickHouseClicks,
  { account, isBot, conditions, from, to }: CopiedSelection,
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
