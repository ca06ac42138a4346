import type { Em } from "../../db/em.ts";

/**
 * Locks an account until the transaction ends, so that concurrent inserts that count against its limits queue. False if
 * there is no such account.
 */
export async function lockAccount(tx: Em, accountId: string): Promise<boolean> {
  const rows = await tx.execute<unknown[]>("select id from users where id = ? for no key update", [
    accountId,
  ]);
  return rows.length > 0;
}
