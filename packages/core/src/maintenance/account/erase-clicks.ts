import type { PoolClient } from "pg";
import { accountTables } from "../../clicks/drain/rollups/rollups.ts";
import { eraseBlocks, eraseLinksInBlocks } from "../../clicks/blocks/write-blocks.ts";
import { firstIdAt } from "../../clicks/click-id.ts";
import { linkTables } from "../../clicks/drain/rollups/link-days.ts";
import { dayMs } from "../../kernel/time.ts";
import { inBatches } from "../../db/batches.ts";

interface Subject {
  id: string;
  /** In raw clicks */
  number: number;
}

/** Links whose rollups are deleted at a time */
const linksAtOnce = 500;

/** Deletes the clicks of an account, raw and rolled up. Their numbers by day are added to `erased_days`. */
export async function eraseClicks(database: PoolClient, account: Subject): Promise<void> {
  const bucketLinks = await idsOf(
    database,
    "select l.id from links l join buckets b on b.id = l.bucket_id where b.account_id = $1",
    [account.id],
  );
  // First, since the rollups lead to the raw clicks.
  await eraseRawClicks(database, account, bucketLinks);
  await moveTotals(database, "account", [account.id]);
  await moveTotals(database, "link", bucketLinks);
  await eraseRollups(database, "link_id", linkTables, bucketLinks);
  await eraseRollups(database, "account_id", accountTables, [account.id]);
  await eraseRollupsOfLinks(database, account.id);
}

async function idsOf(database: PoolClient, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(text, values);
  return rows.map(({ id }) => id);
}

/** One statement: a crash neither loses nor doubles a day. */
async function moveTotals(database: PoolClient, scope: "account" | "link", ids: readonly string[]) {
  await database.query(
    `with gone as (delete from ${scope}_days where ${scope}_id = any($1::uuid[]) returning day, clicks, visitors, bots)
     insert into erased_days as e (day, clicks, visitors, bots)
     select day, sum(clicks), sum(visitors), sum(bots) from gone group by day order by day
     on conflict (day) do update set
       clicks = e.clicks + excluded.clicks, visitors = e.visitors + excluded.visitors, bots = e.bots + excluded.bots`,
    [ids],
  );
}

/**
 * An index leads to the account's clicks by people, day by day. Clicks by bots and on buckets are in no index: months that
 * have any are read as a whole.
 */
async function eraseRawClicks(
  database: PoolClient,
  account: Subject,
  bucketLinks: readonly string[],
): Promise<void> {
  const { rows } = await database.query<{ from: string; to: string; day: string | null }>(
    `with counted as (
       select start, clicks, bots, false as of_bucket from account_quarter_hours where account_id = $1
       union all
       select start, clicks, bots, true from link_quarter_hours where link_id = any($2::uuid[])
     ), utc as (select *, start at time zone 'UTC' as at from counted)
     select distinct extract(epoch from date_trunc('day', at)) * 1000 as from,
       extract(epoch from date_trunc('day', at)) * 1000 + ${dayMs} as to, 'day' as day
     from utc where clicks > 0 and not of_bucket
     union all
     select distinct extract(epoch from date_trunc('month', at)) * 1000,
       extract(epoch from date_trunc('month', at) + interval '1 month') * 1000, null
     from utc where bots > 0 or of_bucket`,
    [account.id, bucketLinks],
  );
  for (const { from, to, day } of rows) {
    const range = [firstIdAt(Number(from)), firstIdAt(Number(to))].map(String);
    if (day === null) {
      await database.query(
        `delete from clicks where id >= $1 and id < $2
           and ((account_number = $3 and is_bot) or link_id = any($4::uuid[]))`,
        [...range, account.number, bucketLinks],
      );
    } else {
      await database.query(
        "delete from clicks where account_number = $3 and not is_bot and id >= $1 and id < $2",
        [...range, account.number],
      );
    }
  }
  // Last, since rows may be packed in the meantime.
  await eraseBlocks(database, account.number);
  for (const { from, to, day } of rows)
    if (day === null) await eraseLinksInBlocks(database, { from: Number(from), to: Number(to) }, bucketLinks);
}

async function eraseRollupsOfLinks(database: PoolClient, accountId: string): Promise<void> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const ids = await idsOf(
      database,
      `select id from (
         (select id from links where account_id = $1 and id > $2 order by id limit ${linksAtOnce})
         union all
         (select id from deleted_links where account_id = $1 and id > $2 order by id limit ${linksAtOnce})
       ) own order by id limit ${linksAtOnce}`,
      [accountId, after],
    );
    const last = ids.at(-1);
    if (last === undefined) return;
    await eraseRollups(database, "link_id", linkTables, ids);
    // The sums of the account referred to them.
    await database.query("delete from click_values where dimension = 'link' and value = any($1::text[])", [
      ids,
    ]);
    after = last;
  }
}

async function eraseRollups(
  database: PoolClient,
  column: "account_id" | "link_id",
  tables: readonly string[],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const table of tables) {
    await inBatches(
      database,
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${column} = any($1::uuid[]) limit $2))`,
      [ids],
    );
  }
}
