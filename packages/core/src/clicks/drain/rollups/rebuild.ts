import type { Pool, PoolClient } from "pg";
import type { Rebuilding, RebuildReport } from "./rebuild-report.ts";
import { type Month, monthsOf } from "../store/partitions.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { type Rollup, rollups } from "./rollups.ts";

type Difference = RebuildReport["differences"][number];

/**
 * Counts all raw clicks anew, a month at a time, and repairs rollups that say otherwise. A month is locked against
 * counting, not against reading, while it is looked at: whoever counts has written raw clicks first, and waits there.
 */
export async function rebuild(pool: Pool, { onProgress, signal }: Rebuilding = {}): Promise<RebuildReport> {
  const report = { months: [] as string[], clicks: 0, differences: [] as Difference[], repaired: 0 };
  const months = await monthsOf(pool);
  let done = 0;
  const tell = (month: string | null) => {
    signal?.throwIfAborted();
    onProgress?.({ done, total: months.length, month });
  };
  const note = (month: string | null, table: string, rows: number) => {
    if (rows > 0) report.differences.push({ month, table, rows });
    report.repaired += rows;
  };

  for (const month of months) {
    const name = month.first.slice(0, 7);
    const isWhole = await inTransaction(pool, async (database) => {
      if (!(await lock(database, month))) return false;
      for (const rollup of rollups) {
        tell(name);
        note(name, rollup.table, await repair(database, rollup, month));
      }
      const { rows } = await database.query<{ count: string }>(`select count(*) from ${month.partition}`);
      report.clicks += Number(rows[0]?.count);
      return true;
    });
    if (isWhole) report.months.push(name);
    done += 1;
  }
  tell(null);
  await inTransaction(pool, async (database) => {
    await database.query("lock table clicks in share mode");
    note(null, "links", await repairClickCounts(database));
    return true;
  });
  return { ...report, kept: await droppedMonths(pool) };
}

async function droppedMonths(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select to_char(month, 'YYYY-MM') as name from click_months_dropped order by 1",
  );
  return rows.map(({ name }) => name);
}

/** False where not all of a month's raw clicks are there any more. */
async function lock(database: PoolClient, { partition, first }: Month): Promise<boolean> {
  try {
    await database.query(`lock table ${partition} in share mode`);
  } catch (error) {
    if ((error as { code?: unknown }).code === "42P01") return false; // undefined_table
    throw error;
  }
  const { rowCount } = await database.query("select from click_months_dropped where month = $1", [first]);
  return rowCount === 0;
}

/** Answers how many rows were missing, too many or wrong. */
async function repair(database: PoolClient, rollup: Rollup, month: Month): Promise<number> {
  const { table, key, counts } = rollup;
  const columns = [...key, ...counts].join();
  const of = (alias: string) => counts.map((column) => `${alias}.${column}`).join();
  const { rowCount } = await database.query(
    `create temporary table differing on commit drop as
     select ${key.join()}, ${of("w")} from (${rollup.wanted(month)}) w
     full join (select ${columns} from ${table} where ${rollup.of(month)}) r using (${key.join()})
     where (${of("w")}) is distinct from (${of("r")})`,
  );
  if (rowCount) {
    const same = key.map((column) => `r.${column} = d.${column}`).join(" and ");
    await database.query(`delete from ${table} r using differing d where ${same}`);
    await database.query(
      `insert into ${table} (${columns}) select ${columns} from differing where clicks is not null order by ${key.join()}`,
    );
  }
  await database.query("drop table differing");
  return rowCount ?? 0;
}

/** A link's own count is the sum of its days, those included whose raw clicks are gone. */
async function repairClickCounts(database: PoolClient): Promise<number> {
  const { rowCount } = await database.query(
    `update links set click_count = t.clicks
     from (
       select id, coalesce(d.clicks, 0) as clicks
       from links left join (select link_id as id, sum(clicks) as clicks from link_days group by 1) d using (id)
       where click_count <> coalesce(d.clicks, 0) order by id for no key update of links
     ) t where links.id = t.id`,
  );
  return rowCount ?? 0;
}
