import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../users/index.ts";

export const domainStatuses = ["pending", "verified", "failed"] as const;

/**
 * The row that stands for the service's own short-link host. Its name is whatever SHORT_BASE says today, so a service
 * that moves takes its links along.
 */
export const ownDomainId = "00000000-0000-0000-0000-000000000000";

/** A host name under which an account serves its links. */
export const DomainEntity = defineEntity({
  name: "Domain",
  tableName: "domains",
  indexes: [{ name: "domains_domain", properties: ["domain"] }],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p
        .manyToOne(UserEntity)
        .mapToPk()
        .joinColumn("account_id")
        .nullable()
        .deleteRule("cascade")
        .index("domains_account_id"),
    domain: p.text(),
    status: p.enum(domainStatuses).nativeEnumName("domain_status"),
    challenge: p.text(),
    created_at: p.datetime(3),
    verified_at: p.datetime(3).nullable(),
  },
});
