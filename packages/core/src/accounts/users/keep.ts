import type { Em } from "../../db/em.ts";
import { AppError } from "../../kernel/errors.ts";

/**
 * Keeps an account that is being deleted, because somebody signs in to it; true if it was being deleted. Locks the account
 * until the transaction ends, so that it is either kept or erased. 403 if it was erased a moment ago.
 */
export async function keepAccount(tx: Em, accountId: string): Promise<boolean> {
  const [user] = await tx.execute<{ leaving: boolean }[]>(
    `select deletes_at is not null as leaving from users where id = ? and erased_at is null for no key update`,
    [accountId],
  );
  if (!user) throw new AppError("FORBIDDEN", "The account was deleted; sign in again to create another one");
  if (user.leaving) await tx.execute("update users set deletes_at = null where id = ?", [accountId]);
  return user.leaving;
}
