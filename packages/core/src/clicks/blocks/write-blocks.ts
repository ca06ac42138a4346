import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient } from "pg";
import { quoted, sqlArray, sqlColumns } from "../../db/arrays.ts";
import { maxClicks, packBlock, unpackBlock } from "./block.ts";
import { type Clicks, type ColumnName, columnNames } from "./columns.ts";
import type { OwnedClicks } from "./copied-clicks.ts";

/** Removes the blocks of a day that have room for more clicks of the same owners, and returns what they have. */
export async function takeSmallBlocks(
  database: PoolClient,
  day: string,
  owners: readonly Omit<OwnedClicks, "clicks">[],
): Promise<OwnedClicks[]> {
  const { table, values } = sqlColumns(1, {
    account: ["int", sqlArray(owners.map(({ account }) => account))],
    bot: ["bool", sqlArray(owners.map(({ isBot }) => isBot))],
  });
  const { rows } = await database.query<{
    account: number;
    isBot: boolean;
    packed: Buffer;
    sequences: Buffer;
  }>(
    `delete from click_blocks b using ${table}
     where b.account_number = account and b.is_bot = bot and day = $3 and clicks < ${maxClicks / 2}
     returning account, is_bot as "isBot", packed, sequences`,
    [...values, day],
  );
  return rows.map(({ account, isBot, ...block }) => ({ account, isBot, clicks: unpackBlock(block) }));
}

interface NewBlock {
  account: number;
  isBot: boolean;
  clicks: number;
  first: number;
  last: number;
  packed: Buffer;
  sequences: Buffer;
}

/** Adds blocks of a day. Only one connection may do so at a time (`mayPack`). */
export async function addBlocks(
  database: PoolClient,
  day: string,
  all: readonly OwnedClicks[],
): Promise<void> {
  const blocks: NewBlock[] = [];
  for (const { account, isBot, clicks } of all) {
    for (let from = 0; from < clicks.times.length; from += maxClicks) {
      const { times, ...others } = slice(clicks, from, from + maxClicks);
      const packed = packBlock({ times, ...others });
      const [first, last] = [times[0] as number, times.at(-1) as number];
      blocks.push({ account, isBot, clicks: times.length, first, last, ...packed });
      await yieldToEventLoop();
    }
  }
  const hex = (bytes: Buffer) => quoted(`\\x${bytes.toString("hex")}`);
  const { table, values } = sqlColumns(1, {
    account: ["int", sqlArray(blocks.map(({ account }) => account))],
    bot: ["bool", sqlArray(blocks.map(({ isBot }) => isBot))],
    place: ["int", sqlArray([...blocks.keys()])],
    clicks: ["int", sqlArray(blocks.map(({ clicks }) => clicks))],
    first: ["int", sqlArray(blocks.map(({ first }) => first))],
    last: ["int", sqlArray(blocks.map(({ last }) => last))],
    packed: ["bytea", sqlArray(blocks.map(({ packed }) => hex(packed)))],
    sequences: ["bytea", sqlArray(blocks.map(({ sequences }) => hex(sequences)))],
  });
  const day$ = `$${values.length + 1}::date`;
  await database.query(
    `insert into click_blocks (account_number, is_bot, day, part, clicks, first, last, packed, sequences)
     select account, bot, ${day$},
       row_number() over (partition by account, bot order by place) + coalesce((
         select max(part) from click_blocks b where b.account_number = account and b.is_bot = bot and b.day = ${day$}
       ), 0), clicks, first, last, packed, sequences
     from ${table}`,
    [...values, day],
  );
}

function slice({ times, sequences, values }: Clicks, from: number, to: number): Clicks {
  return {
    times: times.subarray(from, to),
    sequences: sequences.subarray(from, to),
    values: Object.fromEntries(columnNames.map((name) => [name, values[name].subarray(from, to)])) as Record<
      ColumnName,
      Int32Array
    >,
  };
}
