import { defineEntity, p } from "@mikro-orm/core";
import { accountOf } from "../users/user.entity.ts";

/** A person at a login provider. An account may have several. */
export const IdentityEntity = defineEntity({
  name: "Identity",
  tableName: "identities",
  uniques: [{ name: "identities_issuer_subject_unique", properties: ["issuer", "subject"] }],
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("identities"),
    provider: p.text(),
    issuer: p.text(),
    subject: p.text(),
    created_at: p.datetime(3),
  },
});
