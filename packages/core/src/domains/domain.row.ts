import { defineEntity, type InferEntity, type Opt, p } from "@mikro-orm/core";
import { WorkspaceEntity } from "../accounts/workspaces/workspace.row.ts";
import { notFound, refusal } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import type { AccountCall, DomainDeps } from "./call.ts";
import { type Domain, domainStatuses } from "./domain.schema.ts";
import { recordsOf } from "./records.ts";
import { everyone } from "./sharing.ts";

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
    {
      name: "domains_shared_with",
      expression:
        "create index domains_shared_with on domains using gin (shared_with) where shared_with <> '[]'",
    },
    { name: "domains_domain", expression: "create index domains_domain on domains (domain)" },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p.manyToOne(WorkspaceEntity).mapToPk().joinColumn("account_id").nullable().deleteRule("cascade"),
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
    /** Ids of the workspaces that may use it, too, or "everyone" */
    shared_with: p.json().$type<Opt<string[]>>().default("[]"),
    root_url: p.text().nullable(),
    not_found_url: p.text().nullable(),
    expired_url: p.text().nullable(),
    /** Files under /.well-known/, as JSON */
    apple_app_site_association: p.text().nullable(),
    assetlinks: p.text().nullable(),
    /** The service asked about unknown slugs; null for none */
    import_from: p.text().nullable(),
    /** Links created from its answers */
    imported_links: p.integer().default(0),
    /** Those of one hour, and that hour */
    imported_in_hour: p.integer().default(0),
    imported_hour: p.datetime(3).nullable(),
  },
});

/** A domain's settings, all unset. A deleted domain keeps only its name. */
export const noSettings = {
  root_url: null,
  not_found_url: null,
  expired_url: null,
  apple_app_site_association: null,
  assetlinks: null,
  import_from: null,
  shared_with: [] as string[],
};

export const domainNotFound = () => notFound("Domain");

/** Whether the row of a domain says that every workspace, or this one, may use it. */
const isSharedWith = (row: DomainRow, workspaceId: string): boolean =>
  [everyone, workspaceId].some((named) => row.shared_with?.includes(named));

/** The account's domain with this id, or one that is shared with it; 404 if there is none, even if another account has one. */
export async function findUsable({ em, account }: Pick<AccountCall, "em" | "account">, id: string) {
  const domain = isId(id) ? await em.findOne(DomainEntity, { id, deleted_at: null }) : null;
  if (!domain || (domain.account_id !== account.id && !isSharedWith(domain, account.id)))
    throw domainNotFound();
  return domain;
}

/** The account's domain with this id, as `findUsable`; 403 for one of another account, which only shares it. */
export async function findDomain(ctx: Pick<AccountCall, "em" | "account">, id: string) {
  const domain = await findUsable(ctx, id);
  if (domain.account_id !== ctx.account.id) {
    const message = `${domain.domain} belongs to another workspace, which only shares it`;
    throw refusal("FORBIDDEN", "id", "forbidden", message, { reason: "shared_domain" });
  }
  return domain;
}

type DomainColumns = InferEntity<typeof DomainEntity>;
/** The columns needed to show a domain. The ORM leaves out null values. */
export type DomainRow = Partial<DomainColumns> &
  Pick<DomainColumns, "id" | "domain" | "status" | "challenge" | "created_at">;

/**
 * Converts a row to what clients see; one that another workspace shares has no records and settings. Looks up the short-link host's
 * addresses if the records need them.
 */
export const toDomain = async (
  deps: Pick<DomainDeps, "dns" | "shortHost">,
  row: DomainRow,
  viewer = row.account_id,
): Promise<Domain> => {
  const owned = row.account_id === viewer;
  const shown: Partial<DomainRow> = owned ? row : {};
  const sharedWith = shown.shared_with ?? [];
  return {
    id: row.id,
    domain: row.domain,
    status: row.status,
    owned,
    shared_with: owned ? (sharedWith.includes(everyone) ? everyone : sharedWith) : null,
    dns: owned ? await recordsOf(deps, row) : [],
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
    root_url: shown.root_url ?? null,
    not_found_url: shown.not_found_url ?? null,
    expired_url: shown.expired_url ?? null,
    import_from: shown.import_from ?? null,
    imported_links: shown.imported_links ?? 0,
    apple_app_site_association: fileOf(
      shown.apple_app_site_association,
    ) as Domain["apple_app_site_association"],
    assetlinks: fileOf(shown.assetlinks) as Domain["assetlinks"],
  };
};

/** A file as checked when it was set. */
const fileOf = (json: string | null | undefined): unknown => (json == null ? null : JSON.parse(json));
