import type { Pool, PoolClient } from "pg";
import { sqlRows } from "../../../db/arrays.ts";
import { isDeadlock } from "../../../db/errors.ts";
import { inTransaction } from "../../../db/connection.ts";
import { dayMs, utcDate } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, referrerDimensionRows } from "../../dimensions.ts";
import { bytesWithTopValues, topValuesOf } from "../../packed/top-values.ts";
import { inPortions, mayPack, type Portion, portionSql } from "../../packed/packing.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { PackedDelta, PackedTable } from "./repair-packed.ts";
import { changeRows, rawClicksOfAccounts } from "./rollups.ts";

/** The period of an account's sums by value: a UTC day or a month. */
interface AccountPeriod {
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

/** A batch's additions, in the order of accounts, periods and days. */
export function accountDeltasOf({ accounts }: Batch): SumsDelta[] {
  const deltas = new SumsDeltas();
  for (const account of accounts) {
    for (const counts of account.days()) {
      const { date } = counts.day;
      const sums = [deltas.of(account.id, "day", date), deltas.of(account.id, "month", monthOf(date))];
      for (const [{ code, id }, clicks] of counts.values())
        for (const each of sums) each.value(code, id, clicks);
    }
  }
  return deltas.sorted().filter(({ sums }) => !sums.isEmpty);
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
  const keys = sqlRows(
    1,
    deltas.map((delta, at) => ({ ...delta, at })),
    { ...keyTypes, at: "int" },
  );
  const { rows } = await database.query<{ at: number; part: number; packed: Buffer | null }>({
    name: "lock-account-sums",
    text: `select at, part, packed from ${keys.table}, lateral (
             select part, case when octet_length(packed) < ${fullBytes} then packed end as packed from account_sums a
             where a.account_id = t.account_id and a.period = t.period and a.start = t.start and part > 0
             order by part desc limit 1 for no key update
           ) p`,
    values: keys.values,
  });
  const found = new Map(rows.map(({ at, ...last }) => [at, last]));
  const grown: Part[] = [];
  const begun: Part[] = [];
  for (const [at, delta] of deltas.entries()) {
    const last = found.get(at);
    if (last?.packed) grown.push({ ...delta, part: last.part, packed: delta.sums.add(last.packed).pack() });
    else begun.push({ ...delta, part: (last?.part ?? 0) + 1, packed: delta.sums.pack() });
  }
  await changeRows(database, grown, {
    name: "add-to-account-sums",
    types: partTypes,
    textOf: (added) => `update account_sums a set packed = t.packed from ${added}
      where a.account_id = t.account_id and a.period = t.period and a.start = t.start and a.part = t.part`,
  });
  await changeRows(database, begun, {
    name: "add-account-sums",
    types: partTypes,
    textOf: (added) => `insert into account_sums as a (account_id, period, start, part, packed)
      select account_id, period, start, part, packed from ${added}
      on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed`,
  });
  for (const part of begun) if (part.part >= maxParts) await mergeParts(database, part);
}

interface Part extends AccountPeriod {
  part: number;
  packed: Buffer;
}

const keyTypes = { account_id: "uuid", period: "text", start: "date" } as const;
const partTypes = { ...keyTypes, part: "int", packed: "bytea" } as const;

const ofKey = "account_id = $1 and period = $2 and start = $3";

/** Takes sums away that the account's have, as when links move to another account. */
export async function subtractAccountSums(database: PoolClient, deltas: readonly SumsDelta[]): Promise<void> {
  for (const { sums, ...key } of deltas) {
    await holdLastPart(database, key);
    await mergeParts(database, key, sums);
  }
}

const holdLastPart = (database: PoolClient, { account_id, period, start }: AccountPeriod) =>
  database.query({
    name: "hold-last-part",
    text: `select from account_sums where ${ofKey} and part > 0 order by part desc limit 1 for no key update`,
    values: [account_id, period, start],
  });

/**
 * Merges the parts of an account's sums into part 0, with top values if they are large, and without what is `gone`. The caller
 * holds the last part, if there is one above 0: another drain that adds to it, or begins the next one, waits or has done so.
 */
export async function mergeParts(
  database: PoolClient,
  { account_id, period, start }: AccountPeriod,
  gone?: PackedSums,
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
  if (gone !== undefined) sums.subtract(gone);
  if (sums.isEmpty) return;
  const packed = sums.pack();
  await database.query({
    name: "add-merged-part",
    text: `insert into account_sums as a (account_id, period, start, part, packed, head) values ($1, $2, $3, 0, $4, $5)
           on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed, head = null`,
    values: [...values, packed, topValuesOf(sums, packed.length)],
  });
}

/** Days that reports read as days, at most, when they begin inside of a month */
const daysMs = 400 * dayMs;

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
  return async () => (await mergeSome()) !== "done";
}

/** Returns false if another node packs, or a drain merges the same. */
async function mergeOne(pool: Pool, sums: AccountPeriod): Promise<boolean> {
  try {
    return await inTransaction(pool, async (database) => {
      if (!(await mayPack(database))) return false;
      await holdLastPart(database, sums);
      await mergeParts(database, sums);
      return true;
    });
  } catch (error) {
    if (isDeadlock(error)) return false;
    throw error;
  }
}

/**
 * Derives the sums of accounts by value, for days and a month, from raw clicks. Sums of deleted accounts are kept,
 * since nothing could restore them.
 */
export const accountSums: PackedTable<SumsDelta & PackedDelta> = {
  table: "account_sums",
  key: ["account_id", "period", "start"],
  countAgain: (month) => `
    create temporary table expected on commit drop as
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
      select account_id, 'day' as period, start, dimension, value, clicks, 0 as visitors, 0 as bots from by_day
      union all
      select account_id, 'month', '${month.first}'::date, dimension, value, sum(clicks), 0, 0 from by_day
      group by 1, 4, 5;
    create temporary table wrong on commit drop as
      select distinct account_id, period, start from expected e full join (
        select account_id, period, start, v.dimension, v.value, sum(u.clicks) as clicks
        from account_sums, unpack_sums(packed) u left join click_values v on v.id = u.key
        where start >= '${month.first}' and start < '${month.next}' and account_id in (select id from workspaces)
        group by 1, 2, 3, 4, 5
      ) r using (account_id, period, start, dimension, value)
      where e.clicks is distinct from r.clicks`,
  add: addAccountSums,
};
