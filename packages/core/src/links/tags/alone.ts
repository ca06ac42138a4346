import type { Database } from "../../db/statements.ts";
import { type Change, tell, toldOf } from "../../history/change.ts";
import { renamingLock } from "./tagging.ts";

/** Begins a change of tags themselves: for the rest of the transaction, nobody else gives or takes tags of the account. */
export async function alone(database: Database, accountId: string, change: Change): Promise<void> {
  const text = `select pg_advisory_xact_lock(${renamingLock("$1::uuid")}), ${tell("$2")}`;
  await database.query(text, [accountId, toldOf(change)]);
}
