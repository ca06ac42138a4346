import { hashSecret, secretBytes } from "../credentials.ts";
import type { Deps } from "../deps.ts";
import { isId } from "../text.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { type NewApiKey, toApiKey } from "./api-key.schema.ts";

/** Makes a key for an account. Only its hash is stored: the answer is the one time that the key is seen. */
export async function issueKey(deps: Deps, accountId: string, name = "API key"): Promise<NewApiKey> {
  const key = `${deps.keyPrefix}_${Buffer.from(deps.randomBytes(secretBytes)).toString("base64url")}`;
  const row = {
    id: deps.newId(),
    account_id: accountId,
    name,
    prefix: key.slice(0, deps.keyPrefix.length + 7),
    hash: hashSecret(key),
    created_at: deps.clock(),
  };
  await deps.orm.em.fork().insert(ApiKeyEntity, row);
  return { ...toApiKey(row), key };
}

/** Ends a key at once; false where there is no such key. With `accountId`, another account's key is none. */
export async function revokeKey(deps: Deps, id: string, accountId?: string): Promise<boolean> {
  if (!isId(id)) return false;
  const where = accountId === undefined ? { id } : { id, account_id: accountId };
  return (await deps.orm.em.fork().nativeDelete(ApiKeyEntity, where)) > 0;
}
