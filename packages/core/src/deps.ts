import type { Pool } from "pg";
import type { Orm } from "./db/orm.ts";
import type { Dns, ShortHost } from "./domains/index.ts";
import type { CreationLimit } from "./links/index.ts";
import type { PlanTable } from "./plans.ts";
import type { CoreEvent } from "./types.ts";

/** What operations reach the world through; made once by createCore, replaced piece by piece in tests. */
export interface Deps {
  readonly databaseUrl: string;
  readonly orm: Orm;
  /** The same connections as the ORM's, for the few statements where its comfort costs too much */
  readonly pool: Pool;
  readonly plans: PlanTable;
  readonly shortHost: ShortHost;
  /** Host names of the service itself, the short-link host's first */
  readonly ownHosts: readonly string[];
  readonly dns: Dns;
  readonly creationLimit: CreationLimit;
  /** Fixed part of API keys, before the underscore */
  readonly keyPrefix: string;
  /** Tells this process at once what the database tells all of them: that a short URL answers something else now */
  readonly announce: (link: { domain_id: string; slug: string }) => void;
  /** Hears of what an operator should know of */
  readonly onEvent: (event: CoreEvent) => void;
  readonly clock: () => Date;
  /** UUIDs that sort by time (RFC 9562, version 7) */
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
}
