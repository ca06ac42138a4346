import type { Base } from "../../db/base.ts";

/** Entries are deleted after this many days. */
const retentionDays = 365;
/** Rows deleted by one statement, so that none takes long */
const batchSize = 5000;

/** Deletes expired entries of all accounts; returns how many. Safe on several nodes at once. */
export async function deleteOldActivity({ pool, clock }: Pick<Base, "pool" | "clock">): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query({
      name: "delete-old-activity",
      text: `delete from activity where id in (
               select id from activity where at < least($1::timestamptz, now()) - interval '${retentionDays} days'
               limit ${batchSize} for update skip locked)`,
      values: [clock()],
    });
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return deleted;
  }
}
