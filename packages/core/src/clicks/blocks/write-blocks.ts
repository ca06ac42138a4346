import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient } from "pg";
import { transactionOn } from "../../db/connection.ts";
import { quoted, sqlArray, sqlColumns } from "../../db/arrays.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { waitForPacking } from "../packed/packing.ts";
import {
  Block,
  byColumn,
  type Clicks,
  maxClicks,
  type Owner,
  packBlock,
  type Packed,
  unpackBlock,
} from "./block.ts";
import type { OwnedClicks } from "./copied-clicks.ts";

/** Removes the blocks of a day that have room for more clicks of the same owners, and returns what they have. */
export async function takeSmallBlocks(
  database: PoolClient,
  day: string,
  owners: readonly Owner[],
): Promise<OwnedClicks[]> {
  const { table, values } = sqlColumns(1, {
    account: ["int", sqlArray(owners.map(({ account }) => account))],
    bot: ["bool", sqlArray(owners.map(({ isBot }) => isBot))],
  });
  const { rows } = await database.query<Owner & Packed>(
    `delete from click_blocks b using ${table}
     where b.account_number = account and b.is_bot = bot and day = $3 and clicks < ${maxClicks / 2}
     returning account, is_bot as "isBot", packed, sequences`,
    [...values, day],
  );
  return rows.map(({ account, isBot, ...block }) => ({ account, isBot, clicks: unpackBlock(block) }));
}

/** Adds blocks of a day. Only one connection may do so at a time (`mayPack`). */
export async function addBlocks(
  database: PoolClient,
  day: string,
  all: readonly OwnedClicks[],
): Promise<void> {
  const blocks: (Owner & Packed & { clicks: number; first: number; last: number })[] = [];
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
    position: ["int", sqlArray([...blocks.keys()])],
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
       row_number() over (partition by account, bot order by position) + coalesce((
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
    values: byColumn((name) => values[name].subarray(from, to)),
  };
}

/** Puts clicks of the same account and kind together, in the order of their ids. */
export function merged(all: readonly OwnedClicks[]): OwnedClicks[] {
  const byOwner = Map.groupBy(all, ({ account, isBot }) => `${account} ${isBot}`);
  return Array.from(byOwner.values(), (same) => {
    const [first] = same as [OwnedClicks];
    return same.length === 1 ? first : { ...first, clicks: mergedClicks(same.map(({ clicks }) => clicks)) };
  });
}

function mergedClicks(parts: readonly Clicks[]): Clicks {
  const joined = (column: (clicks: Clicks) => Int32Array) =>
    Int32Array.from(parts.flatMap((clicks) => Array.from(column(clicks))));
  const [times, sequences] = [joined((clicks) => clicks.times), joined((clicks) => clicks.sequences)];
  const order = Array.from(times.keys()).toSorted(
    (a, b) =>
      (times[a] as number) - (times[b] as number) || (sequences[a] as number) - (sequences[b] as number),
  );
  return chosenClicks(
    {
      times,
      sequences,
      values: byColumn((name) => joined(({ values }) => values[name])),
    },
    order,
  );
}

/** Some clicks, in the order in which they are given. */
export function chosenClicks({ times, sequences, values }: Clicks, chosen: readonly number[]): Clicks {
  const pick = (column: Int32Array) => Int32Array.from(chosen, (at) => column[at] as number);
  return {
    times: pick(times),
    sequences: pick(sequences),
    values: byColumn((name) => pick(values[name])),
  };
}

/** Deletes the clicks in blocks of an account. */
export async function eraseBlocks(database: PoolClient, account: number): Promise<void> {
  await database.query("delete from click_blocks where account_number = $1", [account]);
}

/** Deletes the clicks on links of no account, such as those of buckets, from blocks of some days. */
export async function eraseLinksInBlocks(
  database: PoolClient,
  { from, to }: { from: number; to: number },
  links: readonly string[],
): Promise<void> {
  if (links.length === 0) return;
  const { rows: numbers } = await database.query<{ id: number }>(
    "select id from click_values where dimension = 'link' and value = any($1::text[])",
    [links],
  );
  const erased = new Set(numbers.map(({ id }) => id));
  if (erased.size === 0) return;
  for (let day = from; day < to; day += dayMs) await eraseInDay(database, utcDate(day), erased);
}

/** Packs the blocks of a day again that have clicks on these links, in one transaction. */
function eraseInDay(database: PoolClient, day: string, erased: ReadonlySet<number>): Promise<void> {
  return transactionOn(database, async () => {
    await waitForPacking(database);
    const { rows } = await database.query<Owner & Packed & { part: number }>(
      `select account_number as account, is_bot as "isBot", part, packed, sequences from click_blocks
       where account_number = 0 and day = $1`,
      [day],
    );
    for (const { account, isBot, part, ...block } of rows) {
      if (!new Block(block.packed).values("link").some((link) => erased.has(link))) continue;
      const clicks = unpackBlock(block);
      const kept = [...clicks.times.keys()].filter((at) => !erased.has(clicks.values.link[at] as number));
      await database.query(
        "delete from click_blocks where account_number = $1 and is_bot = $2 and day = $3 and part = $4",
        [account, isBot, day, part],
      );
      if (kept.length > 0)
        await addBlocks(database, day, [{ account, isBot, clicks: chosenClicks(clicks, kept) }]);
    }
  });
}
