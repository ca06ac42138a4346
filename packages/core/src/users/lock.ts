import type { Em } from "../db/em.ts";

/**
 * Lets what is counted against an account's limits queue until the transaction ends, so that each counts those before
 * it. False where there is no such account.
 */
export async function lockAccount(tx: Em, accountId: string): Promise<boolean> {
  const rows = await tx.execute<unknown[]>("select id from users where id = ? for no key update", [
    accountId,
  ]);
  return rows.length > 0;
}
