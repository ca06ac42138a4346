import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../users/index.ts";

/** What a login provider calls somebody. An account may have several. */
export const IdentityEntity = defineEntity({
  name: "Identity",
  tableName: "identities",
  uniques: [{ name: "identities_issuer_subject_unique", properties: ["issuer", "subject"] }],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p
        .manyToOne(UserEntity)
        .mapToPk()
        .joinColumn("account_id")
        .deleteRule("cascade")
        .index("identities_account_id"),
    provider: p.text(),
    issuer: p.text(),
    subject: p.text(),
    created_at: p.datetime(3),
  },
});
