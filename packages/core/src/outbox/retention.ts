import type { Base } from "../db/base.ts";

/** Days for which events and the record of their deliveries are kept, and so can be delivered again */
export const keptDays = 7;

/** Rows of one statement, so that none takes long */
const batchSize = 1000;

/** Deletes old events and records of deliveries. Safe on several nodes at once. */
export async function deleteOldEvents({ pool, clock }: Pick<Base, "pool" | "clock">): Promise<void> {
  for (const table of ["webhook_events", "webhook_clicks", "webhook_deliveries"]) {
    for (;;) {
      const { rowCount } = await pool.query(
        `delete from ${table} where id in (
           select id from ${table} where at < least($1::timestamptz, now()) - interval '${keptDays} days'
           order by at limit ${batchSize} for update skip locked)`,
        [clock()],
      );
      if ((rowCount ?? 0) < batchSize) break;
    }
  }
}
