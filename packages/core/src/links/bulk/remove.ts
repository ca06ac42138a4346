import type { AccountCall } from "../call.ts";
import { inTransaction } from "../../db/transaction.ts";
import { notFound } from "../../kernel/errors.ts";
import { removeLinks } from "../delete.ts";
import type { Transaction } from "./change.ts";
import { type ChangedMany, Selection } from "./selection.ts";

/** Deletes links, each as `links.delete` does. */
export async function deleteMany(
  { deps, em, account }: AccountCall,
  ids: readonly string[],
  { change, begin, end }: Transaction,
  isDryRun: boolean,
): Promise<ChangedMany> {
  const selection = await Selection.of(em, ids, "unlocked");
  if (isDryRun || selection.links.length === 0) return selection.answer();
  const chosen = selection.links.map(({ id }) => id);
  let deleted: Awaited<ReturnType<typeof removeLinks>> = [];
  const answer = () => ({ ...selection.answer(), change_id: deleted.length > 0 ? change.id : null });
  await inTransaction(deps.pool, async (database) => {
    await begin(database);
    deleted = await removeLinks(database, change, chosen, account.id);
    const gone = new Set(deleted.map(({ id }) => id));
    await selection.check(({ id }) => {
      if (!gone.has(id)) throw notFound("Link");
    });
    await end(database, answer());
    return true;
  });
  deps.storage.release(account.id, deleted.length);
  for (const link of deleted) deps.invalidate(link);
  return answer();
}
