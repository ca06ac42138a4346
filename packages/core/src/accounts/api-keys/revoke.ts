import type { AccountDeps } from "../call.ts";
import { operatorDeed } from "../activity/record.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { recordKey } from "./record.ts";

interface RevokedKey {
  account_id: string;
  name: string;
  prefix: string;
}

/** Revokes a key at once and returns it; undefined if there is none. With `accountId`, keys of other accounts do not count. */
export async function deleteKeyRow(
  { pool }: AccountDeps,
  id: string,
  accountId?: string,
): Promise<RevokedKey | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await pool.query<RevokedKey>(
    "delete from api_keys where id = $1 and account_id = coalesce($2, account_id) returning account_id, name, prefix",
    [id, accountId ?? null],
  );
  return rows[0];
}

/** Revokes a key of any account for an operator; false if there is none. */
export async function revokeKey(deps: AccountDeps, id: string): Promise<boolean> {
  const revoked = await deleteKeyRow(deps, id);
  if (revoked) await recordKey(deps, operatorDeed(revoked.account_id), "key_revoked", revoked);
  return revoked !== undefined;
}

/** Revokes all keys of an account at once; returns how many there were. */
export const revokeAllKeys = (deps: AccountDeps, accountId: string): Promise<number> =>
  deps.orm.em.fork().nativeDelete(ApiKeyEntity, { account_id: accountId });
