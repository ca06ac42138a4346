import type { Pool } from "pg";
import type { Orm } from "./db/em.ts";
import type { Redis } from "ioredis";
import type { Dns } from "./kernel/dns.ts";
import type { CoreEvent } from "./kernel/events.ts";
import type { CreationLimit } from "./limits/creation-limit.ts";
import type { PlanTable } from "./kernel/plans.ts";
import type { ShortHost } from "./kernel/short-host.ts";

/** What redirecting and counting reach the world through; tests replace it piece by piece. */
export interface RedirectDeps {
  readonly databaseUrl: string;
  readonly pool: Pool;
  /** Null where nodes share limits by the database alone, or not at all */
  readonly redis: Redis | null;
  readonly shortHost: ShortHost;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Hears of what an operator should know of */
  readonly onEvent: (event: CoreEvent) => void;
}

/** What all other operations need besides. */
export interface Deps extends RedirectDeps {
  /** On the same connections as `pool` */
  readonly orm: Orm;
  readonly plans: PlanTable;
  /** Host names of the service itself, the short-link host's first */
  readonly ownHosts: readonly string[];
  readonly dns: Dns;
  readonly creationLimit: CreationLimit;
  /** Fixed part of API keys, before the underscore */
  readonly keyPrefix: string;
  /** Drops what this process has cached of a short URL, at once: the database tells all others that it has changed */
  readonly invalidate: (link: { domain_id: string; slug: string }) => void;
  /** UUIDs that sort by time (RFC 9562, version 7) */
  readonly newId: () => string;
}
