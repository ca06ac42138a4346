import { isDeadlock } from "../../../db/errors.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../db/transaction.ts";
import { utcDate } from "../../../kernel/time.ts";
import { headedBytes, headOf } from "../../packed/heads.ts";
import { mayPack } from "../../packed/packing-lock.ts";
import { PackedSums } from "../../packed/sums.ts";
import { type AccountPeriod, monthOf } from "./account-period.ts";
import { inPortions, type Portion, portionSql } from "./in-portions.ts";

const ofKey = "account_id = $1 and period = $2 and start = $3";

/**
 * Merges the parts of an account's sums into part 0, with a head if they are large. The caller holds the last part, if there is
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
    text: `insert into account_sums as a (account_id, period, start, part, packed, head, head_of) values ($1, $2, $3, 0, $4, $5, $6)
           on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed`,
    values: [...values, packed, headOf(sums, packed.length), packed.length],
  });
}

/** Days that reports read as days, at most, when they begin inside of a month */
const daysMs = 400 * 86_400_000;

/** SQL: the sums of some accounts that have parts to merge, or lack a head. */
const unmerged = portionSql(`
  select id as account_id, period, start from chosen, lateral (
    select period, start from account_sums
    where account_id = id and (period = 'month' or start >= $2)
    group by 1, 2
    having count(*) > 1 and start < case period when 'month' then $4::date else $3 end
      or bool_or(octet_length(packed) >= ${headedBytes} and head_of is distinct from octet_length(packed))
  ) s`);

/**
 * Returns the function that merges the parts of some accounts' sums for days before a time, for the months before it,
 * and where large parts have no head. It returns false at the end.
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
