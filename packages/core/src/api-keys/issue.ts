import { ForeignKeyConstraintViolationException } from "@mikro-orm/core";
import { hashSecret, secretBytes } from "../credentials.ts";
import type { Deps } from "../deps.ts";
import { AppError, describeIssues, notFound } from "../errors.ts";
import { isId } from "../text.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { keyInput, type NewApiKey, toApiKey } from "./api-key.schema.ts";

/**
 * Makes a key for an account; 404 where there is none, 400 for a bad name. Only its hash is stored: the answer is the
 * one time that the key is seen.
 */
export async function issueKey(deps: Deps, accountId: string, name?: string): Promise<NewApiKey> {
  const input = keyInput.safeParse({ name });
  if (!input.success) throw new AppError("BAD_REQUEST", describeIssues(input.error.issues));
  if (!isId(accountId)) throw notFound("Account");
  const key = `${deps.keyPrefix}_${Buffer.from(deps.randomBytes(secretBytes)).toString("base64url")}`;
  const row = {
    id: deps.newId(),
    account_id: accountId,
    name: input.data.name ?? "API key",
    prefix: key.slice(0, deps.keyPrefix.length + 7),
    hash: hashSecret(key),
    created_at: deps.clock(),
  };
  try {
    await deps.orm.em.fork().insert(ApiKeyEntity, row);
  } catch (error) {
    throw error instanceof ForeignKeyConstraintViolationException ? notFound("Account") : error;
  }
  return { ...toApiKey(row), key };
}

/** Ends a key at once; false where there is no such key. With `accountId`, another account's key is none. */
export async function revokeKey(deps: Deps, id: string, accountId?: string): Promise<boolean> {
  if (!isId(id)) return false;
  const where = accountId === undefined ? { id } : { id, account_id: accountId };
  return (await deps.orm.em.fork().nativeDelete(ApiKeyEntity, where)) > 0;
}
