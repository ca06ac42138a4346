import { inTransaction } from "../../db/transaction.ts";
import type { Database } from "../../db/statements.ts";
import { type Account } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { claim, keep, type Keyed } from "./once.ts";

/**
 * Creates a thing of which an account may have only some, in one transaction with its answer.
 *
 * @param limit how many an account may have, what they are called, and what a user does to have another
 * @param insert inserts it unless the account has all that it may have, and returns the answer, or undefined
 * @throws AppError FORBIDDEN if the account has all that it may have
 */
export async function createOne<Created extends object>(
  call: Keyed & { readonly account: Account },
  limit: { most: number; things: string; verb: string },
  insert: (database: Database) => Promise<Created | undefined>,
): Promise<Created> {
  const { deps, account } = call;
  let created: Created | undefined;
  await inTransaction(deps.pool, async (database) => {
    await claim(call, database);
    // Two at once would both find room.
    await database.query("select from users where id = $1 for no key update", [account.id]);
    created = await insert(database);
    if (created === undefined) return false;
    await keep(call, database, created);
    return true;
  });
  if (created !== undefined) return created;
  const { most, things, verb } = limit;
  throw new AppError("FORBIDDEN", `An account has at most ${most} ${things}: delete one to ${verb} another`);
}
