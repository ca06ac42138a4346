import type { AccountDeps } from "../call.ts";
import { notFound } from "../../kernel/errors.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { keyInput, type NewApiKey } from "./api-key.schema.ts";
import { insertKey } from "./insert.ts";
import type { KeyLimits } from "./keys.types.ts";

/** The name of keys that are given none. */
export const defaultName = "API key";

/** Creates a key for an operator: 404 if there is no such account, 400 for a bad field, 403 if it has a hundred keys. */
export async function issueKey(
  deps: AccountDeps,
  accountId: string,
  given: KeyLimits & { name?: string | undefined },
): Promise<NewApiKey> {
  const { name = defaultName, scopes = null, expires_at = null } = parseOr400(keyInput, given);
  if (!isId(accountId)) throw notFound("Account");
  const made = { name, scopes, expires_at, made_over_api: false, connection_id: null };
  return deps.orm.em.fork().transactional((tx) => insertKey(tx, deps, accountId, made));
}
