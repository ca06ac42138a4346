import type { AccountDeps } from "../call.ts";
import type { Em } from "../../db/em.ts";
import { databaseOf } from "../../db/statements.ts";
import { AppError, invalidToken, notFound } from "../../kernel/errors.ts";
import { keysPerAccount } from "../../kernel/plans.ts";
import { hashToken, newToken } from "../../kernel/tokens.ts";
import { lockAccount } from "../users/lock.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { type NewApiKey, toApiKey } from "./api-key.schema.ts";
import type { Grant } from "./grant.ts";

export interface NewKey extends Grant {
  name: string;
  made_over_api: boolean;
  /** The connection that the key ends with; null for none */
  connection_id: string | null;
}

/**
 * Inserts a key: 404 if there is no such account, 400 if the key would expire at once, 401 if its connection has ended, 403 if
 * the account has a hundred. Only a hash is stored, so the key is only in this answer.
 */
export async function insertKey(
  tx: Em,
  deps: AccountDeps,
  accountId: string,
  made: NewKey,
): Promise<NewApiKey> {
  const now = deps.clock();
  if (made.expires_at && made.expires_at <= now) {
    throw new AppError("BAD_REQUEST", "expires_at: must be in the future");
  }
  if (!(await lockAccount(tx, accountId))) throw notFound("Account");
  const owned = { account_id: accountId };
  if ((await tx.count(ApiKeyEntity, owned)) >= keysPerAccount) {
    // Expired keys stay in the list until their place is needed.
    const expired = await tx.nativeDelete(ApiKeyEntity, { ...owned, expires_at: { $lte: now } });
    if (expired === 0) throw tooManyKeys();
  }
  const key = `${deps.keyPrefix}_${newToken(deps.randomBytes)}`;
  const row = {
    id: deps.newId(),
    account_id: accountId,
    name: made.name,
    prefix: key.slice(0, deps.keyPrefix.length + 7),
    hash: hashToken(key),
    created_at: now,
    scopes: made.scopes && [...made.scopes],
    expires_at: made.expires_at,
    made_over_api: made.made_over_api,
    connection_id: made.connection_id,
  };
  if (made.connection_id !== null) {
    // Locked, because the end of the connection deletes the keys that are there then.
    const locked = "select from oauth_connections where id = $1 for key share";
    const { rowCount } = await databaseOf(tx).query(locked, [made.connection_id]);
    if (rowCount === 0) throw invalidToken();
  }
  await tx.insert(ApiKeyEntity, row);
  return { ...toApiKey(row), key };
}

const tooManyKeys = () =>
  new AppError(
    "FORBIDDEN",
    `An account has at most ${keysPerAccount} API keys: revoke one to create another`,
  );
