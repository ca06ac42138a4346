import type { PoolClient } from "pg";
import { forEachYielding } from "../../kernel/async/yield-to-event-loop.ts";
import { copyRows } from "../../db/copy-rows.ts";
import { utcDate } from "../../kernel/time.ts";
import { Block, unpackSequences } from "./block.ts";

/** Which blocks are read: those of an account (0: of none), of people or of bots, with a time in a range (milliseconds). */
export interface BlockRange {
  account: number;
  isBot: boolean;
  from: number;
  to: number;
}

/** A block before it is read. */
export interface BlockHead {
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
export async function blockHeads(
  database: Pick<PoolClient, "query">,
  { account, isBot, from, to }: BlockRange,
): Promise<BlockHead[]> {
  if (from >= to) return [];
  const { rows } = await database.query<BlockHead>({
    name: "block-heads",
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
  head: BlockHead;
  block: Block;
  /** By click: the sequence in its id */
  sequences(): Int32Array;
}

interface ReadOptions {
  /** Whether sequences are read; default false */
  ids?: boolean;
  /** Called once, when all blocks were asked for: what is asked now is answered while they are worked on */
  meanwhile?: (() => void) | undefined;
}

/** Reads listed blocks, in their order, while the ones before are worked on. The connection must see one snapshot. */
export async function forEachBlock(
  database: Pick<PoolClient, "query">,
  owner: Pick<BlockRange, "account" | "isBot">,
  heads: readonly BlockHead[],
  work: (block: ReadBlock) => void,
  options: ReadOptions = {},
): Promise<void> {
  for await (const blocks of readBlocks(database, owner, heads, options)) await forEachYielding(blocks, work);
}

/** The same in portions. */
export async function* readBlocks(
  database: Pick<PoolClient, "query">,
  { account, isBot }: Pick<BlockRange, "account" | "isBot">,
  heads: readonly BlockHead[],
  { ids = false, meanwhile }: ReadOptions = {},
): AsyncGenerator<ReadBlock[], void> {
  const portions = portionsOf(heads);
  const read = async (portion: readonly BlockHead[] | undefined): Promise<ReadBlock[]> => {
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
      const head = portion[at] as BlockHead;
      const block = new Block(packed as Buffer);
      return { head, block, sequences: () => unpackSequences(sequences as Buffer, head.clicks) };
    });
  };
  let next = read(portions[0]);
  if (portions.length === 1) meanwhile?.();
  for (let at = 1; at <= portions.length; at++) {
    const blocks = await next;
    next = read(portions[at]);
    next.catch(() => {});
    if (at === portions.length - 1) meanwhile?.();
    yield blocks;
  }
}

function portionsOf(heads: readonly BlockHead[]): BlockHead[][] {
  const portions: BlockHead[][] = [];
  let clicks = Number.POSITIVE_INFINITY;
  for (const head of heads) {
    if (clicks + head.clicks > clicksAtOnce) {
      portions.push([]);
      clicks = 0;
    }
    portions.at(-1)?.push(head);
    clicks += head.clicks;
  }
  return portions;
}
