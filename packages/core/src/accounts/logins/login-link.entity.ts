import { defineEntity, p } from "@mikro-orm/core";
import { accountOf } from "../users/user.entity.ts";

/** A one-time sign-in link. Its token is never stored, only its SHA-256; using it deletes the row. */
export const LoginLinkEntity = defineEntity({
  name: "LoginLink",
  tableName: "login_links",
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("login_links"),
    hash: p.blob().unique("login_links_hash_unique"),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
  },
});
