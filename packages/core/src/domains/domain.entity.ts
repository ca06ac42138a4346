import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../accounts/users/user.row.ts";

export const domainStatuses = ["pending", "verified", "failed"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/**
 * A host name under which an account serves its links. Several accounts may add a name, but only one can have it
 * verified. A deleted row stays pending; it is kept because links refer to it.
 */
export const DomainEntity = defineEntity({
  name: "Domain",
  tableName: "domains",
  uniques: [{ name: "domains_account_id_domain_unique", properties: ["account_id", "domain"] }],
  indexes: [
    {
      name: "domains_verified",
      expression: "create unique index domains_verified on domains (domain) where status = 'verified'",
    },
    {
      name: "domains_checked_at",
      expression: "create index domains_checked_at on domains (checked_at) where deleted_at is null",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p.manyToOne(UserEntity).mapToPk().joinColumn("account_id").nullable().deleteRule("cascade"),
    domain: p.text(),
    status: p.enum(domainStatuses).nativeEnumName("domain_status"),
    challenge: p.text(),
    created_at: p.datetime(3),
    /** When it was verified; null while it is not */
    verified_at: p.datetime(3).nullable(),
    /** When the records of a verified domain were first found wrong; null while they are right */
    broken_since: p.datetime(3).nullable(),
    /** When the last hourly check began; null for the service's own host */
    checked_at: p.datetime(3).nullable(),
    deleted_at: p.datetime(3).nullable(),
    root_url: p.text().nullable(),
    not_found_url: p.text().nullable(),
    expired_url: p.text().nullable(),
    /** Files under /.well-known/, as JSON */
    apple_app_site_association: p.text().nullable(),
    assetlinks: p.text().nullable(),
    /** The service that is asked about unknown slugs; null for none */
    import_from: p.text().nullable(),
    /** Links that were made of its answers */
    imported_links: p.integer().default(0),
    /** Of these, those of one hour, and which hour that was */
    imported_in_hour: p.integer().default(0),
    imported_hour: p.datetime(3).nullable(),
  },
});
