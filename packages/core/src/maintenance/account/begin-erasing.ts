import type { PoolClient } from "pg";
import { tablesThat } from "../../schema/tables.ts";

/**
 * Takes an account whose time has come, in one transaction: from then on nobody can sign in to it, and its address is free.
 * An account whose erasing was interrupted comes first. Null if there is none.
 */
export async function beginErasing(
  database: PoolClient,
  now: Date,
): Promise<{ id: string; number: number } | null> {
  await database.query("begin");
  try {
    const { rows } = await database.query<{ id: string; number: number }>(
      // The earlier of both clocks, so that a wrong one erases nothing too early.
      `update users set erased_at = $1, email = id || '@erased.invalid', name = ''
       where id = (
         select id from users where deletes_at <= least($1::timestamptz, now())
         order by erased_at nulls last, deletes_at limit 1 for update)
       returning id, number`,
      [now],
    );
    const [account] = rows;
    if (account) {
      for (const table of tablesThat(({ credential }) => credential === true)) {
        await database.query(`delete from ${table} where account_id = $1`, [account.id]);
      }
      // Sign-ins of programs that are under way or just ended have no connection with which they go, but name the account.
      await database.query(
        "delete from oauth_tokens where connection_id is null and strpos(payload::text, $1) > 0",
        [account.id],
      );
    }
    await database.query("commit");
    return account ?? null;
  } catch (error) {
    await database.query("rollback").catch(() => {});
    throw error;
  }
}
