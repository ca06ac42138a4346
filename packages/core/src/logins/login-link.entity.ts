import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../users/index.ts";

/** A one-time sign-in link. Its token is never stored, only its SHA-256; using it deletes the row. */
export const LoginLinkEntity = defineEntity({
  name: "LoginLink",
  tableName: "login_links",
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p
        .manyToOne(UserEntity)
        .mapToPk()
        .joinColumn("account_id")
        .deleteRule("cascade")
        .index("login_links_account_id"),
    hash: p.blob().unique("login_links_hash_unique"),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
  },
});
