import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../users/index.ts";

/** A bearer credential. The key itself is never stored: `hash` is its SHA-256, `prefix` what a list shows of it. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p
        .manyToOne(UserEntity)
        .mapToPk()
        .joinColumn("account_id")
        .deleteRule("cascade")
        .index("api_keys_account_id"),
    name: p.text(),
    prefix: p.text(),
    hash: p.blob().unique("api_keys_hash_unique"),
    created_at: p.datetime(3),
    last_used_at: p.datetime(3).nullable(),
  },
});
