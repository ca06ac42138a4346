import type { PoolClient } from "pg";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { idOf } from "../click-id.ts";
import { clickColumns, type ColumnName, columnNames, none, numberColumns } from "./columns.ts";
import { blockHeads, type ReadBlock, readBlocks } from "./read-blocks.ts";

/** Blocks of all accounts, for maintenance. */

interface Owner {
  account: number;
  isBot: boolean;
}

/** Reads the blocks of some days (milliseconds since the epoch); only those of people if `isBot` is false. */
export async function* allBlocks(
  database: PoolClient,
  { from, to, isBot }: { from: number; to: number; isBot?: false },
  options: { ids?: boolean } = {},
): AsyncGenerator<Owner & ReadBlock, void> {
  const { rows: owners } = await database.query<Owner>(
    `select distinct account_number as account, is_bot as "isBot" from click_blocks
     where day >= to_timestamp($1) at time zone 'UTC' and day < to_timestamp($2) at time zone 'UTC' order by 1, 2`,
    [from / 1000, to / 1000],
  );
  for (const owner of owners) {
    if (isBot === false && owner.isBot) continue;
    const heads = await blockHeads(database, { ...owner, from, to });
    for await (const blocks of readBlocks(database, owner, heads, options))
      for (const block of blocks) yield { ...owner, ...block };
  }
}

/** The values that the columns of blocks of some days have. */
export async function valuesInBlocks(
  database: PoolClient,
  range: { from: number; to: number },
  names: readonly ColumnName[],
): Promise<Map<ColumnName, Set<number>>> {
  const found = new Map(names.map((name) => [name, new Set<number>()]));
  for await (const { block } of allBlocks(database, range))
    for (const [name, values] of found) for (const value of block.values(name)) values.add(value);
  return found;
}

/** The time of the last click of people on each link in blocks, by its number. */
export async function lastClicksInBlocks(
  database: PoolClient,
  range: { from: number; to: number },
): Promise<Map<number, number>> {
  const lastOf = new Map<number, number>();
  for await (const { block, head } of allBlocks(database, { ...range, isBot: false })) {
    const { places, values } = block.column("link");
    const times = block.times();
    const last = new Int32Array(values.length);
    for (const [click, place] of places.entries()) last[place] = times[click] as number;
    for (const [place, link] of values.entries())
      lastOf.set(link, Math.max(lastOf.get(link) ?? 0, head.start + (last[place] as number)));
  }
  return lastOf;
}

/** Adds the clicks in blocks of some days to a table like `clicks`. Returns whether there are any. */
export async function copyBlocksTo(
  database: PoolClient,
  table: string,
  range: { from: number; to: number },
): Promise<boolean> {
  let isFound = false;
  for await (const { account, isBot, head, block, sequences } of allBlocks(database, range, { ids: true })) {
    isFound = true;
    const [times, lower] = [block.times(), sequences()];
    const column = (name: ColumnName) => {
      const { places, values } = block.column(name);
      const texts = Array.from(values, (value) => (value === none ? "null" : value));
      return ["int", sqlArray(Array.from(places, (place) => texts[place] as number | "null"))] as const;
    };
    const { table: clicks, values } = sqlColumns(1, {
      id: ["bigint", sqlArray(Array.from(times, (time, at) => idOf(head.start + time, lower[at] as number)))],
      ...Object.fromEntries(columnNames.map((name) => [`${name}_value`, column(name)])),
    });
    await database.query(
      `insert into ${table} (id, account_number, is_bot, link_id, ${numberColumns.map((name) => clickColumns[name]).join()})
       select t.id, nullif(${account}, 0), ${isBot}, v.value::uuid,
         ${numberColumns.map((name) => (name === "unique" ? "unique_value = 1" : `${name}_value`)).join()}
       from ${clicks} left join click_values v on v.id = link_value`,
      values,
    );
  }
  return isFound;
}
