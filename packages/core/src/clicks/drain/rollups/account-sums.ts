import type { Pool, PoolClient } from "pg";
import { binaryBytes, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { isDeadlock } from "../../../db/errors.ts";
import { inTransaction } from "../../../db/connection.ts";
import { dayMs, utcDate } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, packedCodes, referrerDimensionRows } from "../../dimensions.ts";
import { bytesWithTopValues, topValuesOf } from "../../packed/top-values.ts";
import { inPortions, mayPack, type Portion, portionSql } from "../../packed/packing.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { Month } from "../store/partitions.ts";
import { rawClicksOfAccounts } from "./rollups.ts";

/** What an account's sums by value are about: a UTC day or a month. */
export interface AccountPeriod {
  account_id: string;
  period: "day" | "month";
  /** Its first day, as YYYY-MM-DD */
  start: string;
}

/** The first day of the month of a day; both as YYYY-MM-DD. */
export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;

/**
 * Clicks of an account by value, for each UTC day and each month. They have any number of parts, which are added up: a large
 * account has a hundred kilobytes for a month, which a batch must not write again. A part grows until it is full. When there are
 * many, or once a day, they are merged into part 0, the only one that can have top values.
 */

/** A part of so many bytes is full. */
const fullBytes = 4096;
const maxParts = 8;

export interface SumsDelta extends AccountPeriod {
  sums: PackedSums;
}

/** What a batch adds, in the order of accounts, periods and days. */
export function accountDeltasOf({ accounts, days, valueIds }: Batch): SumsDelta[] {
  const dates = new Map(days.map(({ position, date }) => [position, date]));
  return accounts.flatMap((account) => {
    const deltas = new SumsDeltas();
    for (const day of account.days()) {
      const date = dates.get(day.position) as string;
      const sums = [deltas.of(account.id, "day", date), deltas.of(account.id, "month", monthOf(date))];
      for (const [value, clicks] of day.values()) {
        const code = packedCodes.get(value.dimension) as number;
        const valueId = valueIds.get(value) as number;
        for (const each of sums) each.value(code, valueId, clicks);
      }
    }
    return deltas.sorted().filter(({ sums }) => !sums.isEmpty);
  });
}

/** Sums by account and period. */
export class SumsDeltas {
  readonly #byKey = new Map<string, SumsDelta>();

  of(account_id: string, period: AccountPeriod["period"], start: string): PackedSums {
    const key = `${account_id} ${period} ${start}`;
    let delta = this.#byKey.get(key);
    if (delta === undefined)
      this.#byKey.set(key, (delta = { account_id, period, start, sums: new PackedSums() }));
    return delta.sums;
  }

  /** In the same order on every node, so that no two nodes wait for each other's rows. */
  sorted(): SumsDelta[] {
    return [...this.#byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta);
  }
}

export async function addAccountSums(database: PoolClient, deltas: readonly SumsDelta[]): Promise<void> {
  if (deltas.length === 0) return;
  const keys = sqlColumns(1, {
    position: ["int", sqlArray(deltas.keys().toArray())],
    ...keyColumns(deltas),
  });
  const { rows } = await database.query<{ position: number; part: number; packed: Buffer | null }>({
    name: "lock-account-sums",
    text: `select position, part, packed from ${keys.table}, lateral (
             select part, case when octet_length(packed) < ${fullBytes} then packed end as packed from account_sums a
             where a.account_id = t.account_id and a.period = t.period and a.start = t.start and part > 0
             order by part desc limit 1 for no key update
           ) p`,
    values: keys.values,
  });
  const found = new Map(rows.map(({ position, ...last }) => [position, last]));
  const grown: Part[] = [];
  const begun: Part[] = [];
  for (const [position, delta] of deltas.entries()) {
    const last = found.get(position);
    if (last?.packed) {
      delta.sums.add(last.packed);
      grown.push({ ...delta, part: last.part });
    } else begun.push({ ...delta, part: (last?.part ?? 0) + 1 });
  }
  if (grown.length > 0) {
    const { table, values } = partColumns(grown);
    await database.query({
      name: "add-to-account-sums",
      text: `update account_sums a set packed = t.packed from ${table}
             where a.account_id = t.account_id and a.period = t.period and a.start = t.start and a.part = t.part`,
      values,
    });
  }
  if (begun.length > 0) {
    const { table, values } = partColumns(begun);
    await database.query({
      name: "add-account-sums",
      text: `insert into account_sums as a (account_id, period, start, part, packed)
             select account_id, period, start, part, packed from ${table}
             on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed`,
      values,
    });
  }
  for (const part of begun) if (part.part >= maxParts) await mergeParts(database, part);
}

interface Part extends SumsDelta {
  part: number;
}

const keyColumns = (deltas: readonly AccountPeriod[]) =>
  ({
    account_id: ["uuid", sqlArray(deltas.map(({ account_id }) => account_id))],
    period: ["text", sqlArray(deltas.map(({ period }) => period))],
    start: ["date", sqlArray(deltas.map(({ start }) => start))],
  }) as const;

const partColumns = (parts: readonly Part[]) =>
  sqlColumns(1, {
    ...keyColumns(parts),
    part: ["int", sqlArray(parts.map(({ part }) => part))],
    packed: ["bytea", binaryBytes(parts.map(({ sums }) => sums.pack()))],
  });

const ofKey = "account_id = $1 and period = $2 and start = $3";

/**
 * Merges the parts of an account's sums into part 0, with top values if they are large. The caller holds the last part, if there is
 * one above 0: another drain that adds to it, or begins the next one, waits or has done so.
 */
export async function mergeParts(
  database: PoolClient,
  { account_id, period, start }: AccountPeriod,
): Promise<void> {
  const values = [account_id, period, start];
  // One statement: a part that another drain begins between two would be lost.
  const { rows } = await database.query<{ packed: Buffer }>({
    name: "take-parts",
    text: `delete from account_sums where ${ofKey} returning packed`,
    values,
  });
  if (rows.length === 0) return;
  const sums = new PackedSums();
  for (const { packed } of rows) sums.add(packed);
  const packed = sums.pack();
  await database.query({
    name: "add-merged-part",
    text: `insert into account_sums as a (account_id, period, start, part, packed, head) values ($1, $2, $3, 0, $4, $5)
           on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed, head = null`,
    values: [...values, packed, topValuesOf(sums, packed.length)],
  });
}

/** Days that reports read as days, at most, when they begin inside of a month */
const daysMs = 400 * 86_400_000;

/** SQL: the sums of some accounts that have parts to merge, or lack top values. */
const unmerged = portionSql(`
  select id as account_id, period, start from chosen, lateral (
    select period, start from account_sums
    where account_id = id and (period = 'month' or start >= $2)
    group by 1, 2
    having count(*) > 1 and start < case period when 'month' then $4::date else $3 end
      or bool_or(octet_length(packed) >= ${bytesWithTopValues} and head is null)
  ) s`);

/**
 * Returns the function that merges the parts of some accounts' sums for days before a time, for the months before it,
 * and where large parts have no top values. It returns false at the end.
 */
export function createMerging(pool: Pool, before: number): () => Promise<boolean> {
  const day = utcDate(before);
  const bounds = [utcDate(before - daysMs), day, monthOf(day)];
  const mergeSome = inPortions(
    async (after) => (await pool.query<Portion<AccountPeriod>>(unmerged, [after, ...bounds])).rows[0],
    (sums) => mergeOne(pool, sums),
  );
  return async () => (await mergeSome()) !== "all";
}

/** Returns false if another node packs, or a drain merges the same. */
async function mergeOne(pool: Pool, sums: AccountPeriod): Promise<boolean> {
  try {
    return await inTransaction(pool, async (database) => {
      if (!(await mayPack(database))) return false;
      await database.query({
        name: "hold-last-part",
        text: `select from account_sums where ${ofKey} and part > 0 order by part desc limit 1 for no key update`,
        values: [sums.account_id, sums.period, sums.start],
      });
      await mergeParts(database, sums);
      return true;
    });
  } catch (error) {
    if (isDeadlock(error)) return false;
    throw error;
  }
}

/**
 * Compares the sums of accounts by value in a month, by its days and as a whole, with raw clicks, and writes those again that are
 * wrong. Returns their number: of those that were missing, wrong or should not exist. Sums of deleted accounts are
 * kept, since nothing could restore them.
 */
export async function repairAccountSums(database: PoolClient, month: Month): Promise<number> {
  await database.query(countAgain(month));
  const { rows } = await database.query<{ wrong: string }>("select count(*) as wrong from wrong_sums");
  const wrong = Number(rows[0]?.wrong);
  if (wrong > 0) await writeAgain(database);
  await database.query("drop table expected_sums, wrong_sums");
  return wrong;
}

/** Statements that make temporary tables: what the sums should be, and which are wrong. */
const countAgain = (month: Month) => `
  create temporary table expected_sums on commit drop as
    with by_day as (
      select account_id, start, dimension, value, sum(alike) as clicks
      from (
        select account_id, date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int as start, client_id, referrer_id, link_id,
          count(*) as alike
        from ${rawClicksOfAccounts(month)} where not is_bot group by 1, 2, 3, 4, 5
      ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
      cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('link', link_id::text))
        v (dimension, value)
      group by 1, 2, 3, 4
    )
    select account_id, 'day' as period, start, dimension, value, clicks from by_day
    union all
    select account_id, 'month', '${month.first}'::date, dimension, value, sum(clicks) from by_day group by 1, 4, 5;
  create temporary table wrong_sums on commit drop as
    select distinct account_id, period, start from expected_sums e full join (
      select account_id, period, start, v.dimension, v.value, sum(u.clicks) as clicks
      from account_sums, unpack_sums(packed) u left join click_values v on v.id = u.key
      where start >= '${month.first}' and start < '${month.next}' and account_id in (select id from users)
      group by 1, 2, 3, 4, 5
    ) r using (account_id, period, start, dimension, value)
    where e.clicks is distinct from r.clicks`;

interface Row extends AccountPeriod {
  dimension: string;
  id: number;
  clicks: string;
}

/** Rows of one statement */
const portion = 10_000;

async function writeAgain(database: PoolClient): Promise<void> {
  await database.query(`
    delete from account_sums a using wrong_sums w
      where a.account_id = w.account_id and a.period = w.period and a.start = w.start;
    insert into click_values (dimension, value)
      select distinct dimension, value from expected_sums join wrong_sums using (account_id, period, start) order by 1, 2
      on conflict do nothing;
    declare expected_rows no scroll cursor for
      select account_id, period, start::text, dimension, c.id, clicks
      from expected_sums join wrong_sums using (account_id, period, start) join click_values c using (dimension, value)
      order by account_id, period, start`);
  for (;;) {
    const { rows } = await database.query<Row>(`fetch ${portion} from expected_rows`);
    const deltas = new SumsDeltas();
    for (const { account_id, period, start, dimension, id, clicks } of rows)
      deltas.of(account_id, period, start).value(packedCodes.get(dimension) as number, id, Number(clicks));
    await addAccountSums(database, deltas.sorted());
    if (rows.length < portion) break;
  }
  await database.query("close expected_rows");
}
