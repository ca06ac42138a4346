import type { PoolClient } from "pg";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { waitForPacking } from "../packed/packing-lock.ts";
import { Block, type Packed, unpackBlock } from "./block.ts";
import { chosenClicks } from "./merge.ts";
import { addBlocks } from "./write-blocks.ts";

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

interface Row extends Packed {
  account: number;
  isBot: boolean;
  part: number;
}

/** Packs the blocks of a day again that have clicks on these links, in one transaction. */
async function eraseInDay(database: PoolClient, day: string, erased: ReadonlySet<number>): Promise<void> {
  await database.query("begin");
  try {
    await waitForPacking(database);
    const { rows } = await database.query<Row>(
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
    await database.query("commit");
  } catch (error) {
    await database.query("rollback").catch(() => {});
    throw error;
  }
}
