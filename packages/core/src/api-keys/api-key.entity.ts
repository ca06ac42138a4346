import { defineEntity, p } from "@mikro-orm/core";
import { accountOf } from "../users/index.ts";

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
  },
});
