import { inTransaction } from "../../db/connection.ts";
import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";
import { ownerEmail } from "../../kernel/names.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import type { AccountCall } from "../call.ts";
import { PasskeyEntity } from "../passkeys/passkey.row.ts";
import { IdentityEntity } from "./identity.row.ts";

/**
 * Removes a way to sign in, but never the last one (409): a person keeps an identity, a passkey or, where codes are sent by
 * e-mail, a proven address. Sessions do not remember what began them, so all others end with it.
 */
export const removeWay = <Removed>(
  ctx: AccountCall,
  remove: (em: Em) => Promise<Removed>,
): Promise<Removed> =>
  inTransaction(ctx, async (database, em) => {
    const { account, actor, deps } = ctx;
    // Concurrent calls queue here, so that two of them cannot remove the last two.
    await lockAccount(database, account.id);
    const removed = await remove(em);
    const left = (await em.count(IdentityEntity)) + (await em.count(PasskeyEntity));
    if (left === 0 && !(deps.hasMail && (await getsCodes(database, account.id)))) throw lastOne();
    await database.query("delete from sessions where account_id = $1 and id is distinct from $2", [
      account.id,
      (actor.kind === "account" && actor.session_id) || null,
    ]);
    return removed;
  });

async function getsCodes(database: Database, accountId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "select from workspaces where id = $1 and email_verified and email <> $2",
    [accountId, ownerEmail],
  );
  return rowCount === 1;
}

const lastOne = () =>
  refusal(
    "CONFLICT",
    "",
    "last_sign_in",
    "This is the only way to sign in to the account: add a passkey, or sign in with another provider, first",
  );
