import { defineEntity, p } from "@mikro-orm/core";
import type { Scope } from "../../kernel/scopes.ts";
import { accountOf } from "../users/user.entity.ts";

/** A bearer credential. The key itself is never stored: `hash` is its SHA-256, `prefix` is what lists show. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("api_keys"),
    name: p.text(),
    prefix: p.text(),
    hash: p.blob().unique("api_keys_hash_unique"),
    created_at: p.datetime(3),
    last_used_at: p.datetime(3).nullable(),
    /** Null: all that the account's plan includes, also what later versions add */
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
