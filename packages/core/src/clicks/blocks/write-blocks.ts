import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient } from "pg";
import { transactionOn } from "../../db/connection.ts";
import { sqlRows } from "../../db/arrays.ts";
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
import type { OwnedClicks } from "./binary-clicks.ts";

/** Removes the blocks of a day that have room for more clicks of the same owners, and returns what they have. */
export async function takeSmallBlocks(
  database: PoolClient,
  day: string,
  owners: readonly Owner[],
): Promise<OwnedClicks[]> {
  const { table, values } = sqlRows(
    1,
    owners.map(({ account, isBot }) => ({ account, bot: isBot })),
    { account: "int", bot: "bool" },
  );
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
  const blocks: Readonly<Record<string, unknown>>[] = [];
  for (const { account, isBot, clicks } of all) {
    for (let from = 0; from < clicks.times.length; from += maxClicks) {
      const part = byColumns((of) => of(clicks).subarray(from, from + maxClicks));
      const { times } = part;
      const [first, last] = [times[0], times.at(-1)];
      const position = blocks.length;
      blocks.push({ account, bot: isBot, position, clicks: times.length, first, last, ...packBlock(part) });
      await yieldToEventLoop();
    }
  }
  const { table, values } = sqlRows(1, blocks, {
    account: "int",
    bot: "bool",
    position: "int",
    clicks: "int",
    first: "int",
    last: "int",
    packed: "bytea",
    sequences: "bytea",
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

/** Makes clicks column by column; `of` reads the same column of others. */
const byColumns = (make: (of: (clicks: Clicks) => Int32Array) => Int32Array): Clicks => ({
  times: make(({ times }) => times),
  sequences: make(({ sequences }) => sequences),
  values: byColumn((name) => make(({ values }) => values[name])),
});

/** Puts clicks of the same account and kind together, in the order of their ids. */
export function merged(all: readonly OwnedClicks[]): OwnedClicks[] {
  const byOwner = Map.groupBy(all, ({ account, isBot }) => `${account} ${isBot}`);
  return Array.from(byOwner.values(), (same) => {
    const [first] = same as [OwnedClicks];
    return same.length === 1 ? first : { ...first, clicks: joined(same.map(({ clicks }) => clicks)) };
  });
}

function joined(parts: readonly Clicks[]): Clicks {
  const all = byColumns((of) => Int32Array.from(parts.flatMap((part) => Array.from(of(part)))));
  const { times, sequences } = all;
  const order = Array.from(times.keys()).toSorted(
    (a, b) =>
      (times[a] as number) - (times[b] as number) || (sequences[a] as number) - (sequences[b] as number),
  );
  return pick(all, order);
}

/** Some clicks, by their positions. */
const pick = (clicks: Clicks, positions: readonly number[]): Clicks =>
  byColumns((of) => {
    const column = of(clicks);
    return Int32Array.from(positions, (at) => column[at] as number);
  });

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
    await takeLinksFromBlocks(database, day, 0, erased);
  });
}

/**
 * Packs the blocks of an account and a day again without the clicks on some links, and returns these. No other connection may
 * pack meanwhile (`waitForPacking`).
 */
export async function takeLinksFromBlocks(
  database: PoolClient,
  day: string,
  account: number,
  links: ReadonlySet<number>,
): Promise<OwnedClicks[]> {
  const { rows } = await database.query<{ isBot: boolean; part: number } & Packed>(
    `select is_bot as "isBot", part, packed, sequences from click_blocks where account_number = $1 and day = $2`,
    [account, day],
  );
  const taken: OwnedClicks[] = [];
  for (const { isBot, part, ...block } of rows) {
    if (!new Block(block.packed).values("link").some((link) => links.has(link))) continue;
    const clicks = unpackBlock(block);
    const [own, others] = [true, false].map((wanted) =>
      pick(
        clicks,
        [...clicks.times.keys()].filter((at) => links.has(clicks.values.link[at] as number) === wanted),
      ),
    ) as [Clicks, Clicks];
    await database.query(
      "delete from click_blocks where account_number = $1 and is_bot = $2 and day = $3 and part = $4",
      [account, isBot, day, part],
    );
    if (others.times.length > 0) await addBlocks(database, day, [{ account, isBot, clicks: others }]);
    taken.push({ account, isBot, clicks: own });
  }
  return taken;
}
