import type { Deps } from "../deps.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { parseOr400 } from "../validation/issues.ts";
import { keysPerAccount } from "../kernel/plans.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { isId } from "../validation/strings.ts";
import { lockAccount } from "../users/index.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { keyInput, type NewApiKey, toApiKey } from "./api-key.schema.ts";

/**
 * Creates a key for an account: 404 if there is no such account, 400 for a bad name, 403 if it has a hundred keys. Only a
 * hash is stored, so the key is only in this answer.
 */
export async function issueKey(deps: Deps, accountId: string, givenName?: string): Promise<NewApiKey> {
  const { name = "API key" } = parseOr400(keyInput, { name: givenName });
  if (!isId(accountId)) throw notFound("Account");
  const key = `${deps.keyPrefix}_${newToken(deps.randomBytes)}`;
  const row = {
    id: deps.newId(),
    account_id: accountId,
    name,
    prefix: key.slice(0, deps.keyPrefix.length + 7),
    hash: hashToken(key),
    created_at: deps.clock(),
  };
  await deps.orm.em.fork().transactional(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw notFound("Account");
    if ((await tx.count(ApiKeyEntity, { account_id: accountId })) >= keysPerAccount) throw tooManyKeys();
    await tx.insert(ApiKeyEntity, row);
  });
  return { ...toApiKey(row), key };
}

const tooManyKeys = () =>
  new AppError(
    "FORBIDDEN",
    `An account has at most ${keysPerAccount} API keys: revoke one to create another`,
  );
