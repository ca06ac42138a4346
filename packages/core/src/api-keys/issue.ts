import type { Deps } from "../deps.ts";
import { notFound } from "../kernel/errors.ts";
import { parseOr400 } from "../validation/issues.ts";
import { isId } from "../validation/strings.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { keyInput, type NewApiKey } from "./api-key.schema.ts";
import { insertKey } from "./insert.ts";
import type { KeyLimits } from "./keys.types.ts";

/** The name of keys that are given none. */
export const defaultName = "API key";

/** Creates a key for an operator: 404 if there is no such account, 400 for a bad field, 403 if it has a hundred keys. */
export async function issueKey(
  deps: Deps,
  accountId: string,
  given: KeyLimits & { name?: string | undefined },
): Promise<NewApiKey> {
  const { name = defaultName, scopes = null, expires_at = null } = parseOr400(keyInput, given);
  if (!isId(accountId)) throw notFound("Account");
  const made = { name, scopes, expires_at, made_over_api: false };
  return deps.orm.em.fork().transactional((tx) => insertKey(tx, deps, accountId, made));
}

/** Revokes a key at once; false if there is none. With `accountId`, keys of other accounts do not count. */
export async function revokeKey(deps: Deps, id: string, accountId?: string): Promise<boolean> {
  if (!isId(id)) return false;
  const where = accountId === undefined ? { id } : { id, account_id: accountId };
  return (await deps.orm.em.fork().nativeDelete(ApiKeyEntity, where)) > 0;
}

/** Revokes all keys of an account at once; returns how many there were. */
export const revokeAllKeys = (deps: Deps, accountId: string): Promise<number> =>
  deps.orm.em.fork().nativeDelete(ApiKeyEntity, { account_id: accountId });
