import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { type Scope, scopes } from "../../kernel/names.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { shown } from "../../kernel/validation/strings.ts";
import { type ActivityActor, type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { accountOf, madeBy } from "../workspaces/workspace.row.ts";
import { type ApiKey, apiKeySchema } from "./api-key.schema.ts";

/** A bearer credential. The key itself is never stored: `hash` is its SHA-256, `prefix` is what lists show. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("api_keys"),
    created_by: () => madeBy("api_keys", "cascade"),
    name: p.text(),
    prefix: p.text(),
    hash: p.blob().unique("api_keys_hash_unique"),
    created_at: p.datetime(3),
    last_used_at: p.datetime(3).nullable(),
    /** Null: everything the account's plan includes, later additions too */
    scopes: p.array().$type<Scope[]>().nullable(),
    expires_at: p.datetime(3).nullable(),
    /** When another key replaced it; then `expires_at` is the end of the overlap */
    replaced_at: p.datetime(3).nullable(),
    /** Such a key works only while the plan of its account includes keys; false for keys of operators */
    made_over_api: p.boolean().default(false),
    /** The connection of the program that made it, with which it is deleted */
    connection_id: p.uuid().nullable().index("api_keys_connection_id"),
  },
});

export const apiKeys: OwnRows<InferEntity<typeof ApiKeyEntity>, ApiKey> = ownRows(
  ApiKeyEntity,
  "API key",
  (row, created_by) => shown(apiKeySchema, { ...row, created_by, scopes: [...(row.scopes ?? scopes)] }),
);

/** Revokes a key of any account for an operator; false if there is none. */
export async function revokeKey(deps: ActivityDeps, id: string): Promise<boolean> {
  const { rows } = await deps.pool.query<{ id: string; account_id: string; name: string; prefix: string }>(
    "delete from api_keys where id = $1 returning id, account_id, name, prefix",
    [idOrNull(id)],
  );
  const [revoked] = rows;
  if (revoked) await recordKey(deps, operatorActor(revoked.account_id), "key_revoked", revoked);
  return revoked !== undefined;
}

/** Records what happened to a key, by its name and the prefix that lists show. */
export const recordKey = (
  deps: ActivityDeps,
  actor: ActivityActor,
  action: "key_created" | "key_first_used" | "key_replaced" | "key_revoked",
  { id, name, prefix, ...limits }: RecordedKey,
): Promise<void> => {
  const { expires_at } = limits;
  const after = action === "key_created" ? { name, scopes: limits.scopes, expires_at } : null;
  return recordActivity(deps, actor, action, `${name} (${prefix})`, { id, after });
};

interface RecordedKey {
  id: string;
  name: string;
  prefix: string;
  scopes?: readonly string[] | null | undefined;
  expires_at?: string | Date | null | undefined;
}
