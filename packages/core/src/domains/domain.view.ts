import type { Deps } from "../deps.ts";
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
}

/** Converts a row to what clients see. Looks up the short-link host's addresses if the records need them. */
export const toDomain = async (deps: Deps, row: DomainRow): Promise<Domain> => ({
  id: row.id,
  domain: row.domain,
  status: row.status,
  dns: await recordsOf(deps, row),
  created_at: row.created_at.toISOString(),
  verified_at: row.verified_at?.toISOString() ?? null,
});
