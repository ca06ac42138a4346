import type { Pool, PoolClient } from "pg";
import { isMissingTable } from "../../../db/errors.ts";
import { inSnapshot, inTransaction } from "../../../db/connection.ts";
import { refusal } from "../../../kernel/errors.ts";
import { allBlocks, copyBlocksTo, lastClicksInBlocks } from "../../blocks/read-blocks.ts";
import { timeIn } from "../../click-id.ts";
import type { RebuildOptions, RebuildReport } from "../../clicks.types.ts";
import { waitForPacking } from "../../packed/packing.ts";
import { BatchValues, dictionaries, openDictionary } from "../prepare/value-ids.ts";
import { type Month, monthsOf } from "../store/partitions.ts";
import { accountSums } from "./account-sums.ts";
import { linkDays } from "./link-days.ts";
import { repairPacked } from "./repair-packed.ts";
import { type Rollup, rollups } from "./rollups.ts";

type Difference = RebuildReport["differences"][number];

/**
 * Counts all raw clicks again, a month at a time, and repairs rollups that differ. While a month is checked, it is locked
 * against counting, not against reading: drains write raw clicks before rollups, so they wait for this lock. Refuses
 * (CONFLICT) and changes nothing if the clients or referrers of raw clicks are missing, since the rollups still have them.
 */
export async function rebuild(
  pool: Pool,
  { onProgress, signal }: RebuildOptions = {},
): Promise<RebuildReport> {
  const report = { months: [] as string[], clicks: 0, differences: [] as Difference[], repaired: 0 };
  const months = await monthsOf(pool);
  for (const month of months) await assertNoDanglingIds(pool, month, signal);
  await storeChannels(pool);
  let done = 0;
  const progress = (month: string | null) => {
    signal?.throwIfAborted();
    onProgress?.({ done, total: months.length, month });
  };
  const addDifference = (month: string | null, table: string, rows: number) => {
    if (rows > 0) report.differences.push({ month, table, rows });
    report.repaired += rows;
  };

  for (const month of months) {
    const name = month.first.slice(0, 7);
    const isComplete = await inTransaction(pool, async (database) => {
      if (!(await lock(database, month))) return false;
      const clicks = await withBlocks(database, month);
      progress(name);
      addDifference(name, linkDays.table, await repairPacked(database, linkDays, clicks));
      progress(name);
      addDifference(name, accountSums.table, await repairPacked(database, accountSums, clicks));
      for (const rollup of rollups) {
        progress(name);
        addDifference(name, rollup.table, await repair(database, rollup, clicks));
      }
      const { rows } = await database.query<{ count: string }>(`select count(*) from ${clicks.partition}`);
      report.clicks += Number(rows[0]?.count);
      return true;
    });
    if (isComplete) report.months.push(name);
    done += 1;
  }
  progress(null);
  await inTransaction(pool, async (database) => {
    await waitForPacking(database);
    await database.query("lock table clicks in share mode");
    addDifference(null, "links", await repairClickCounts(database));
  });
  return { ...report, kept: await droppedMonths(pool) };
}

async function assertNoDanglingIds(pool: Pool, month: Month, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { partition, first } = month;
  const inBlocks = await inSnapshot(pool, (database) => danglingInBlocks(database, month));
  const { rows } = await pool
    .query<{ count: string }>(
      `select count(*) from ${partition} c
       where not exists (select from click_clients where id = client_id)
         or not exists (select from click_referrers where id = referrer_id)`,
    )
    .catch((error: unknown) => {
      if (isMissingTable(error)) return { rows: [] };
      throw error;
    });
  const count = Number(rows[0]?.count ?? 0) + inBlocks;
  if (count === 0) return;
  throw refusal(
    "CONFLICT",
    "",
    "conflict",
    `${count.toLocaleString("en")} raw clicks of ${first.slice(0, 7)} refer to clients or referrers that the database does not have, ` +
      "as after a failover to a replica that lagged behind. Their rollups are right and cannot be made from them: nothing was changed",
    { reason: "dangling_clicks", count, month: first.slice(0, 7) },
  );
}

/** Ids in blocks that are missing. */
async function danglingInBlocks(database: PoolClient, month: Month): Promise<number> {
  const columns = [
    { name: "client", table: "click_clients", ids: new Set<number>() },
    { name: "referrer", table: "click_referrers", ids: new Set<number>() },
    { name: "link", table: "click_values", ids: new Set<number>() },
  ] as const;
  for await (const { block } of allBlocks(database, rangeOf(month)))
    for (const { name, ids } of columns) for (const id of block.values(name)) ids.add(id);
  let missing = 0;
  for (const { table, ids } of columns) {
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from unnest($1::int[]) as t (id) where not exists (select from ${table} d where d.id = t.id)`,
      [[...ids]],
    );
    missing += Number(rows[0]?.count);
  }
  return missing;
}

/** Referrers in one statement. */
const portion = 10_000;

/** Stores the channel of all referrers again, since the rules may have changed: their dictionary corrects it. */
async function storeChannels(pool: Pool): Promise<void> {
  const dictionary = openDictionary(pool, dictionaries.referrers);
  for (let last = 0; ; ) {
    const { rows } = await pool.query<{ id: number; referrer: string }>(
      "select id, referrer from click_referrers where id > $1 order by id limit $2",
      [last, portion],
    );
    const values = new BatchValues();
    for (const { referrer } of rows) values.referrer(referrer);
    await dictionary.findIds(values.referrers);
    if (rows.length < portion) return;
    last = rows.at(-1)?.id ?? last;
  }
}

async function droppedMonths(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select to_char(month, 'YYYY-MM') as name from click_months_dropped order by 1",
  );
  return rows.map(({ name }) => name);
}

const rangeOf = ({ first, next }: Month) => ({ from: Date.parse(first), to: Date.parse(next) });

/** The month with a table that also has the clicks of its blocks. */
async function withBlocks(database: PoolClient, month: Month): Promise<Month> {
  await database.query(
    `create temporary table month_clicks on commit drop as select * from ${month.partition} with no data`,
  );
  if (!(await copyBlocksTo(database, "month_clicks", rangeOf(month)))) return month;
  await database.query(`insert into month_clicks select * from ${month.partition}; analyze month_clicks`);
  return { ...month, partition: "month_clicks" };
}

/** Locks a month. Returns false if its raw clicks were dropped, even in part. */
async function lock(database: PoolClient, { partition, first }: Month): Promise<boolean> {
  // Before the table, since packing locks it second.
  await waitForPacking(database);
  try {
    await database.query(`lock table ${partition} in share mode`);
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
  const { rowCount } = await database.query("select from click_months_dropped where month = $1", [first]);
  return rowCount === 0;
}

/** Repairs the month's rows of a rollup. Returns the number of rows that were missing, wrong or should not exist. */
async function repair(database: PoolClient, rollup: Rollup, month: Month): Promise<number> {
  const { table, key, counts } = rollup;
  const columns = [...key, ...counts].join();
  const of = (alias: string) => counts.map((column) => `${alias}.${column}`).join();
  const { rowCount } = await database.query(
    `create temporary table difference on commit drop as
     select ${key.join()}, ${of("e")} from (${rollup.expected(month)}) e
     full join (select ${columns} from ${table} where ${rollup.inMonth(month)}) r using (${key.join()})
     where (${of("e")}) is distinct from (${of("r")})`,
  );
  if (rowCount) {
    const same = key.map((column) => `r.${column} = d.${column}`).join(" and ");
    await database.query(`delete from ${table} r using difference d where ${same}`);
    await database.query(
      `insert into ${table} (${columns})
       select ${columns} from difference where ${counts[0]} is not null order by ${key.join()}`,
    );
  }
  await database.query("drop table difference");
  return rowCount ?? 0;
}

/**
 * Sets each link's count to the sum of its days, including days whose raw clicks were dropped, and its last click to the
 * time of its last raw click. If that was dropped, its quarter hour is still known. Returns the number of links that were
 * wrong.
 */
async function repairClickCounts(database: PoolClient): Promise<number> {
  const inBlocks = await lastClicksInBlocks(database, { from: 0, to: Date.parse("9999-12-31") });
  const { rowCount } = await database.query(
    `update links set click_count = t.clicks, last_click_at = t.last
     from (
       select id, coalesce(d.clicks, 0) as clicks, e.last
       from links
       left join (select link_id as id, sum(clicks) as clicks from link_days group by 1) d using (id)
       left join (
         select link_id as id, max((day + key * interval '15 minutes') at time zone 'UTC') as start
         from (
           select distinct on (link_id) link_id, day, packed from link_days
           where clicks > 0 order by link_id, day desc
         ) d, unpack_sums(packed) u
         where u.dimension is null and u.clicks > 0 group by 1
       ) q using (id)
       left join (
         select id, to_timestamp(max(time) / 1000.0) as at from (
           select link_id as id, ${timeIn("max(id)")} as time from clicks where not is_bot group by 1
           union all
           select v.value::uuid, b.time from unnest($1::int[], $2::bigint[]) as b (link, time)
             join click_values v on v.id = b.link
         ) t group by 1
       ) c using (id),
       lateral (
         select (case when c.at >= q.start then c.at
           when last_click_at >= q.start and last_click_at < q.start + interval '15 minutes' then last_click_at
           else q.start end)::timestamptz(3) as last
       ) e
       where click_count <> coalesce(d.clicks, 0) or last_click_at is distinct from e.last
       order by id for no key update of links
     ) t where links.id = t.id`,
    [[...inBlocks.keys()], [...inBlocks.values()]],
  );
  return rowCount ?? 0;
}
