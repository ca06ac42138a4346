import type { Base } from "../../db/base.ts";

/** Rows deleted by one statement, so that none takes long */
const batchSize = 100;

/** Deletes jobs that ended more than seven days ago, with their results. Safe on several nodes at once. */
export async function deleteOldJobs({ pool, clock }: Pick<Base, "pool" | "clock">): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query({
      name: "delete-old-jobs",
      text: `delete from jobs where id in (
               select id from jobs where ended_at < least($1::timestamptz, now()) - interval '7 days'
               limit ${batchSize} for update skip locked)`,
      values: [clock()],
    });
    if ((rowCount ?? 0) < batchSize) return;
  }
}
