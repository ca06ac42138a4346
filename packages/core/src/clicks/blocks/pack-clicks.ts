import type { Pool, PoolClient } from "pg";
import { isLockTimeout, isMissingTable, isStatementTimeout } from "../../db/errors.ts";
import { inTransaction } from "../../db/connection.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { firstIdAt, timeIn } from "../click-id.ts";
import { type Month, monthsOf } from "../drain/store/partitions.ts";
import { mayPack } from "../packed/packing.ts";
import { maxClicks } from "./block.ts";
import { clicksOf, BinaryClicks } from "./binary-clicks.ts";
import { addBlocks, merged, takeSmallBlocks } from "./write-blocks.ts";

/**
 * Packs raw clicks of days that ended: takes rows of `clicks` and adds blocks, in one transaction, so that each click is in exactly
 * one of both forms at every moment. Clicks that arrive later are rows, which the next run packs.
 */

/** Days from the end of a day until it is packed: most late clicks have arrived then, and feeds have gone on to later ones. */
const lateDays = 2;

/** Rows of a transaction: whole blocks, if they are of one account */
const usualPortion = 2 * maxClicks;

/** Milliseconds after which a transaction packs no further share, since this drain does not count meanwhile */
const usualMs = 200;

/** The whole day before which clicks are packed (milliseconds since the epoch). */
export const packableBefore = (now: number): number => (Math.floor(now / dayMs) - lateDays) * dayMs;

/** Clicks of a day and of some accounts, in a month's partition. */
interface Share {
  /** SQL: of which clicks */
  kind: string;
  /** Days since the epoch */
  day: number;
  /** Numbers of accounts; 0: of none */
  firstAccount: number;
  lastAccount: number;
}

/**
 * Returns the function that packs a limited number of clicks before a day. It returns false at the end; while another node packs, it
 * packs nothing and returns true. `portion` is a number of rows.
 */
export function createPacking(pool: Pool, before: number, portion = usualPortion): () => Promise<boolean> {
  let months: Month[] | undefined;
  let month: Month | undefined;
  let shares: Share[] = [];

  async function step(database: PoolClient): Promise<boolean> {
    if (shares.length > 0 && month !== undefined) {
      await packShares(database, month);
      return true;
    }
    months ??= (await monthsOf(pool)).filter(({ first }) => Date.parse(first) < before);
    month = months.shift();
    if (month === undefined) return false;
    shares = await sharesOf(database, month, before, portion);
    return true;
  }

  /** Packs small shares together. */
  async function packShares(database: PoolClient, { partition }: Month): Promise<void> {
    const started = performance.now();
    let packed = 0;
    for (let share = shares[0]; share !== undefined; share = shares[0]) {
      const left = portion - packed;
      const taken = await packShare(database, partition, share, left);
      if (taken === left) return;
      shares.shift();
      packed += taken;
      if (performance.now() - started > usualMs) return;
    }
  }

  return async () => {
    if (month !== undefined && shares.length === 0) {
      const finished = month;
      month = undefined;
      if (Date.parse(finished.next) <= before) await emptyPartition(pool, finished);
    }
    try {
      return await inTransaction(pool, async (database) => !(await mayPack(database)) || step(database));
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      // Its retention has ended.
      shares = [];
      month = undefined;
      return true;
    }
  };
}

/** SQL: people's and bots' clicks as the indexes have them, and those without an account. */
const kinds = [
  "not is_bot and account_number is not null",
  "is_bot and account_number is not null",
  "account_number is null",
];

async function sharesOf(
  database: PoolClient,
  { partition }: Month,
  before: number,
  portion: number,
): Promise<Share[]> {
  const { rows } = await database.query<{ day: number; kind: number; account: number; clicks: string }>(
    `select (${timeIn("id")} / ${dayMs})::int as day, case when account_number is null then 2 else is_bot::int end as kind,
       coalesce(account_number, 0) as account, count(*) as clicks
     from ${partition} where id < $1 group by 1, 2, 3 order by 1, 2, 3`,
    [String(firstIdAt(before))],
  );
  const shares: Share[] = [];
  let total = 0;
  for (const { day, kind: at, account, clicks } of rows) {
    const kind = kinds[at] as string;
    const last = shares.at(-1);
    total += Number(clicks);
    if (last?.day === day && last.kind === kind && total <= portion) last.lastAccount = account;
    else {
      shares.push({ kind, day, firstAccount: account, lastAccount: account });
      total = Number(clicks);
    }
  }
  return shares;
}

/** Packs up to `portion` clicks, and returns how many. */
async function packShare(
  database: PoolClient,
  partition: string,
  { kind, day, firstAccount, lastAccount }: Share,
  portion: number,
): Promise<number> {
  const [from, to] = [firstIdAt(day * dayMs), firstIdAt((day + 1) * dayMs)];
  const accounts = firstAccount === 0 ? "" : `and account_number between ${firstAccount} and ${lastAccount}`;
  const rows = await BinaryClicks.read(
    database,
    "from gone c order by account_number, is_bot, id",
    `with gone as (
       delete from ${partition} where ctid = any(array(
         select ctid from ${partition} where ${kind} ${accounts} and id >= ${from} and id < ${to}
         order by account_number, id limit ${portion}
       )) returning *
     )`,
  );
  if (rows.count === 0) return 0;
  const date = utcDate(day * dayMs);
  const added = await clicksOf(database, rows);
  const small = await takeSmallBlocks(database, date, added);
  await addBlocks(database, date, merged([...small, ...added]));
  return rows.count;
}

/**
 * Gives back the space of a partition without rows. When a vacuum has removed all pages, no transaction sees any of its clicks;
 * what is left are empty pages of indexes.
 */
async function emptyPartition(pool: Pool, { partition }: Month): Promise<void> {
  try {
    const { rows } = await pool.query<{ isEmpty: boolean; bytes: string }>(
      `select not exists (select from ${partition}) as "isEmpty", pg_total_relation_size('${partition}') as bytes`,
    );
    if (rows[0]?.isEmpty !== true || Number(rows[0].bytes) <= emptyBytes) return;
    await pool.query(`vacuum ${partition}`);
    await inTransaction(pool, async (database) => {
      await database.query(`set local lock_timeout = '1s'; lock table ${partition} in access exclusive mode`);
      const { rows: sizes } = await database.query<{ bytes: string }>(
        `select pg_relation_size('${partition}') as bytes`,
      );
      if (Number(sizes[0]?.bytes) === 0) await database.query(`truncate ${partition}`);
    });
  } catch (error) {
    if (!isLockTimeout(error) && !isStatementTimeout(error) && !isMissingTable(error)) throw error;
  }
}

/** More than the indexes of an empty table */
const emptyBytes = 100_000;
