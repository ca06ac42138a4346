import type { PoolClient } from "pg";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { copyRows } from "../../db/copy-rows.ts";
import { forEachYielding } from "../../kernel/async/waiting.ts";
import { utcDate } from "../../kernel/time.ts";
import { idOf } from "../click-id.ts";
import {
  Block,
  clickColumns,
  type ColumnName,
  columnNames,
  none,
  numberColumns,
  type Owner,
  unpackSequences,
} from "./block.ts";

/** Which blocks are read: those of an account (0: of none), of people or of bots, with a time in a range (milliseconds). */
export interface BlockRange extends Owner {
  from: number;
  to: number;
}

/** A block before it is read. */
export interface BlockSummary {
  /** YYYY-MM-DD */
  day: string;
  part: number;
  clicks: number;
  /** When its day starts, and the times of its first and last click, in milliseconds since the epoch */
  start: number;
  first: number;
  last: number;
}

/** Clicks in one statement, of about three megabytes */
const clicksAtOnce = 400_000;

/** Lists blocks by day and part. */
export async function listBlocks(
  database: Pick<PoolClient, "query">,
  { account, isBot, from, to }: BlockRange,
): Promise<BlockSummary[]> {
  if (from >= to) return [];
  const { rows } = await database.query<BlockSummary>({
    name: "block-summaries",
    text: `select day::text, part, clicks, first, last from click_blocks
           where account_number = $1 and is_bot = $2 and day >= $3 and day <= $4 order by day, part`,
    values: [account, isBot, utcDate(from), utcDate(to - 1)],
  });
  return rows
    .map(({ day, first, last, ...row }) => {
      const start = Date.parse(day);
      return { ...row, day, start, first: start + first, last: start + last };
    })
    .filter(({ first, last }) => first < to && last >= from);
}

export interface ReadBlock {
  summary: BlockSummary;
  block: Block;
  /** By click: the sequence in its id */
  sequences(): Int32Array;
}

interface ReadOptions {
  /** Whether sequences are read; default false */
  ids?: boolean;
  /** Called once, when all blocks were asked for: what is asked now is answered while they are worked on */
  overlap?: (() => void) | undefined;
}

/** Reads listed blocks, in their order, while the ones before are worked on. The connection must see one snapshot. */
export async function forEachBlock(
  database: Pick<PoolClient, "query">,
  owner: Owner,
  summaries: readonly BlockSummary[],
  work: (block: ReadBlock) => void,
  options: ReadOptions = {},
): Promise<void> {
  for await (const blocks of readBlocks(database, owner, summaries, options))
    await forEachYielding(blocks, work);
}

/** The same in portions. */
export async function* readBlocks(
  database: Pick<PoolClient, "query">,
  { account, isBot }: Owner,
  summaries: readonly BlockSummary[],
  { ids = false, overlap }: ReadOptions = {},
): AsyncGenerator<ReadBlock[], void> {
  const portions = portionsOf(summaries);
  const read = async (portion: readonly BlockSummary[] | undefined): Promise<ReadBlock[]> => {
    if (portion === undefined) return [];
    const rows = await copyRows(
      database,
      `select b.packed ${ids ? ", b.sequences" : ""}
       from (values ${portion.map(({ day, part }, at) => `(date '${day}', ${part}, ${at})`).join()}) k (day, part, at)
         join click_blocks b on b.account_number = ${account} and b.is_bot = ${isBot} and b.day = k.day and b.part = k.part
       order by k.at`,
    );
    if (rows.length !== portion.length) throw new Error("Blocks were packed again while they were read");
    return rows.map(([packed, sequences], at) => {
      const summary = portion[at] as BlockSummary;
      const block = new Block(packed as Buffer);
      return { summary, block, sequences: () => unpackSequences(sequences as Buffer, summary.clicks) };
    });
  };
  let next = read(portions[0]);
  if (portions.length === 1) overlap?.();
  for (let at = 1; at <= portions.length; at++) {
    const blocks = await next;
    next = read(portions[at]);
    next.catch(() => {});
    if (at === portions.length - 1) overlap?.();
    yield blocks;
  }
}

function portionsOf(summaries: readonly BlockSummary[]): BlockSummary[][] {
  const portions: BlockSummary[][] = [];
  let clicks = Number.POSITIVE_INFINITY;
  for (const summary of summaries) {
    if (clicks + summary.clicks > clicksAtOnce) {
      portions.push([]);
      clicks = 0;
    }
    portions.at(-1)?.push(summary);
    clicks += summary.clicks;
  }
  return portions;
}

/** Blocks of all accounts, for maintenance. */

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
    const summaries = await listBlocks(database, { ...owner, from, to });
    for await (const blocks of readBlocks(database, owner, summaries, options))
      for (const block of blocks) yield { ...owner, ...block };
  }
}

/** The time of the last click of people on each link in blocks, by its number. */
export async function lastClicksInBlocks(
  database: PoolClient,
  range: { from: number; to: number },
): Promise<Map<number, number>> {
  const lastOf = new Map<number, number>();
  for await (const { block, summary } of allBlocks(database, { ...range, isBot: false })) {
    const { positions, values } = block.column("link");
    const times = block.times();
    const last = new Int32Array(values.length);
    for (const [click, position] of positions.entries()) last[position] = times[click] as number;
    for (const [position, link] of values.entries())
      lastOf.set(link, Math.max(lastOf.get(link) ?? 0, summary.start + (last[position] as number)));
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
  for await (const { account, isBot, summary, block, sequences } of allBlocks(database, range, {
    ids: true,
  })) {
    isFound = true;
    const [times, lower] = [block.times(), sequences()];
    const column = (name: ColumnName) => {
      const { positions, values } = block.column(name);
      const texts = Array.from(values, (value) => (value === none ? "null" : value));
      return [
        "int",
        sqlArray(Array.from(positions, (position) => texts[position] as number | "null")),
      ] as const;
    };
    const { table: clicks, values } = sqlColumns(1, {
      id: [
        "bigint",
        sqlArray(Array.from(times, (time, at) => idOf(summary.start + time, lower[at] as number))),
      ],
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
