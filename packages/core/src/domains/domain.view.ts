import type { DomainDeps } from "./call.ts";
import type { DomainStatus } from "./domain.entity.ts";
import type { Domain } from "./domain.schema.ts";
import { recordsOf } from "./records.ts";

/** The columns of a domain that clients see. */
export interface DomainRow {
  id: string;
  domain: string;
  status: DomainStatus;
  challenge: string;
  created_at: Date;
  verified_at?: Date | null | undefined;
  broken_since?: Date | null | undefined;
  root_url?: string | null | undefined;
  not_found_url?: string | null | undefined;
  expired_url?: string | null | undefined;
  import_from?: string | null | undefined;
  imported_links?: number | undefined;
  apple_app_site_association?: string | null | undefined;
  assetlinks?: string | null | undefined;
}

/** Converts a row to what clients see. Looks up the short-link host's addresses if the records need them. */
export const toDomain = async (deps: DomainDeps, row: DomainRow): Promise<Domain> => ({
  id: row.id,
  domain: row.domain,
  status: row.status,
  dns: await recordsOf(deps, row),
  created_at: row.created_at.toISOString(),
  verified_at: row.verified_at?.toISOString() ?? null,
  root_url: row.root_url ?? null,
  not_found_url: row.not_found_url ?? null,
  expired_url: row.expired_url ?? null,
  import_from: row.import_from ?? null,
  imported_links: row.imported_links ?? 0,
  apple_app_site_association: fileOf(row.apple_app_site_association) as Domain["apple_app_site_association"],
  assetlinks: fileOf(row.assetlinks) as Domain["assetlinks"],
});

/** A file as it was checked when it was set. */
const fileOf = (json: string | null | undefined): unknown => (json == null ? null : JSON.parse(json));
