import type { Pool, PoolClient } from "pg";
import { binaryBytes, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { isDeadlock } from "../../../db/errors.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { packedCodes } from "../../dimensions.ts";
import { mayPack } from "../../packed/packing.ts";
import { PackedSums } from "../../packed/sums.ts";
import { idsOfValues } from "../prepare/value-ids.ts";
import { addAccountSums, SumsDeltas } from "./account-sums.ts";

/** Rows in one transaction, about */
const usualPortion = 4000;

/**
 * Packs what versions before stored as rows: those of a limited number of links' days, or a limited number of rows of accounts, in
 * one transaction, so that each row counts once at every moment. Returns false if there are none, or if another node packs them.
 */
export async function packSomeRows(pool: Pool, portion = usualPortion): Promise<boolean> {
  try {
    return await inTransaction(pool, async (database) => {
      if (!(await mayPack(database))) return false;
      for (const pack of [packLinkDays, packAccountDays, packAccountMonths])
        if ((await pack(database, portion)) > 0) return true;
      return false;
    });
  } catch (error) {
    // A node of the version before was adding to the same rows.
    if (isDeadlock(error)) return true;
    throw error;
  }
}

interface Row {
  link_id: string;
  /** YYYY-MM-DD */
  day: string;
}

async function packLinkDays(database: PoolClient, portion: number): Promise<number> {
  const { rows: days } = await database.query<Row>(
    `select link_id, day::text from (
       (select link_id, day from link_day_values order by link_id, day limit ${portion})
       union
       (select link_id, (start at time zone 'UTC')::date from link_quarter_hours order by link_id, start limit ${portion})
     ) t order by link_id, day`,
  );
  if (days.length === 0) return 0;
  const keys = [sqlArray(days.map(({ link_id }) => link_id)), sqlArray(days.map(({ day }) => day))];
  const chosen = "unnest($1::uuid[], $2::date[]) as c (link_id, day)";
  // The version before locks these tables in the same order.
  const { rows: hours } = await database.query<
    Row & { quarter: number; clicks: number; visitors: number; bots: number }
  >(
    `delete from link_quarter_hours q using ${chosen}
     where q.link_id = c.link_id and q.start >= c.day::timestamp at time zone 'UTC'
       and q.start < (c.day + 1)::timestamp at time zone 'UTC'
     returning c.link_id, c.day::text, (extract(epoch from start)::bigint / 900 % 96)::int as quarter,
       clicks, visitors, bots`,
    keys,
  );
  const { rows: values } = await database.query<Row & { dimension: string; value: string; clicks: string }>(
    `delete from link_day_values v using ${chosen} where v.link_id = c.link_id and v.day = c.day
     returning v.link_id, v.day::text, dimension, value, clicks`,
    keys,
  );
  const idOf = await idsOfValues(database, values);
  const sums = new Map<string, Row & { sums: PackedSums }>();
  for (const { link_id, day } of days) sums.set(link_id + day, { link_id, day, sums: new PackedSums() });
  for (const { link_id, day, quarter, clicks, visitors, bots } of hours)
    sums.get(link_id + day)?.sums.quarterHour(quarter, clicks, visitors, bots);
  for (const { link_id, day, dimension, value, clicks } of values) {
    const code = packedCodes.get(dimension) as number;
    sums.get(link_id + day)?.sums.value(code, idOf(dimension, value), Number(clicks));
  }
  await append(database, [...sums.values()]);
  return days.length;
}

/** Appends a chunk to each day; the totals of these days have these clicks already. */
async function append(database: PoolClient, rows: readonly (Row & { sums: PackedSums })[]): Promise<void> {
  const { table, values } = sqlColumns(1, {
    link_id: ["uuid", sqlArray(rows.map(({ link_id }) => link_id))],
    day: ["date", sqlArray(rows.map(({ day }) => day))],
    packed: ["bytea", binaryBytes(rows.map(({ sums }) => sums.pack()))],
  });
  await database.query(
    `insert into link_days as d (link_id, day, clicks, visitors, bots, packed)
     select link_id, day, 0, 0, 0, packed from ${table}
     on conflict (link_id, day) do update set packed = coalesce(d.packed, '') || excluded.packed`,
    values,
  );
}

const packAccountDays = (database: PoolClient, portion: number) => packAccountRows(database, "day", portion);
const packAccountMonths = (database: PoolClient, portion: number) =>
  packAccountRows(database, "month", portion);

/** An index leads to the rows of an account and a dimension, not to those of a day: each portion has many days. */
async function packAccountRows(
  database: PoolClient,
  period: "day" | "month",
  portion: number,
): Promise<number> {
  const table = `account_${period}_values`;
  const { rows } = await database.query<{
    account_id: string;
    start: string;
    dimension: string;
    value: string;
    clicks: string;
  }>(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} order by account_id, dimension, value, ${period} limit $1
     )) returning account_id, ${period}::text as start, dimension, value, clicks`,
    [portion],
  );
  const idOf = await idsOfValues(database, rows);
  const deltas = new SumsDeltas();
  for (const { account_id, start, dimension, value, clicks } of rows) {
    const code = packedCodes.get(dimension) as number;
    deltas.of(account_id, period, start).value(code, idOf(dimension, value), Number(clicks));
  }
  await addAccountSums(database, deltas.sorted());
  return rows.length;
}
