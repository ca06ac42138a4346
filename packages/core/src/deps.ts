import type { Pool } from "pg";
import type { Locator } from "./clicks/derive/locate.ts";
import type { Refusals } from "./accounts/activity/refusals.ts";
import type { LiveFeed } from "./analytics/live/feed.ts";
import type { ChangeTimes, Replicas } from "./db/replicas.ts";
import type { Orm } from "./db/em.ts";
import type { Redis } from "ioredis";
import type { PasswordCost } from "./kernel/password-hash.ts";
import type { Dns } from "./kernel/dns.ts";
import type { CoreEvent } from "./kernel/events.ts";
import type { Meter } from "./kernel/meter.types.ts";
import type { Tracer } from "./kernel/tracer.types.ts";
import type { BulkLimit } from "./rpc/limits/bulk-limit.ts";
import type { CreationLimit } from "./rpc/limits/creation-limit.ts";
import type { DraftLimit } from "./rpc/limits/draft-limit.ts";
import type { PasswordLimit } from "./rpc/limits/password-limit.ts";
import type { VerificationLimit } from "./rpc/limits/verification-limit.ts";
import type { Outbound } from "./outbound/outbound.ts";
import type { PlanTable } from "./kernel/plans.ts";
import type { Copy } from "./clicks/clickhouse/copy.ts";
import type { Policy } from "./kernel/policy.ts";
import type { HostLists, Screening } from "./safety/screening/screening.types.ts";
import type { StorageQuota } from "./links/storage.ts";
import type { ShortHost } from "./kernel/short-host.ts";

/** The dependencies of redirects and counting; tests replace single ones. */
export interface RedirectDeps {
  readonly databaseUrl: string;
  readonly pool: Pool;
  /** Servers that redirects, lists and reports are read from while they are current; null without any */
  readonly replicas: Replicas | null;
  /** Null if nodes share limits over the database, or not at all */
  readonly redis: Redis | null;
  readonly shortHost: ShortHost;
  /** Block destinations wherever a route is loaded */
  readonly hostLists: HostLists;
  /** Finds out where visitors are */
  readonly locator: Locator;
  readonly passwordLimit: PasswordLimit;
  /** Cost of the hashes that are made from now on */
  readonly passwordCost: PasswordCost;
  readonly dns: Dns;
  /** Sends requests to hosts that users chose */
  readonly outbound: Outbound;
  readonly plans: PlanTable;
  readonly storage: StorageQuota;
  /** Host names of the service itself; the short-link host is the first */
  readonly ownHosts: readonly string[];
  /** Decides which destinations links may be given */
  readonly screening: Screening;
  /** An anonymous link is deleted this many days after its creation or last click */
  readonly anonymousLinksDays: number;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  /** What this process measures */
  readonly meter: Meter;
  /** Shows what this process does as traces; `noTracer` if nobody collects them */
  readonly tracer: Tracer;
  /** Called with conditions that an operator should know about */
  readonly onEvent: (event: CoreEvent) => void;
}

/** The dependencies of all other operations. */
export interface Deps extends RedirectDeps {
  /** Uses the connections of `pool` */
  readonly orm: Orm;
  /** The ORM on the connections of another pool, which is a replica's */
  readonly ormOf: (pool: Pool) => Orm;
  /** When each account last changed something through this process */
  readonly writes: ChangeTimes;
  /** Answers what counts raw clicks; null if the database does */
  readonly clickhouse: Copy | null;
  /** What is allowed without an account, and who may get one */
  readonly policy: Policy;
  /** Public address of the API, by which receivers of requests know who sent them */
  readonly baseUrl: string;
  /** How often the destination of each link is checked */
  readonly healthChecks: "off" | "daily" | "weekly";
  readonly creationLimit: CreationLimit;
  readonly bulkLimit: BulkLimit;
  readonly refusals: Refusals;
  /** Changes of links are kept for this many days */
  readonly historyDays: number;
  readonly verificationLimit: VerificationLimit;
  readonly draftLimit: DraftLimit;
  /** Streams of new clicks */
  readonly live: LiveFeed;
  /** Fixed part of API keys, before the underscore */
  readonly keyPrefix: string;
  /** Removes a short URL from the cache of this process at once; the database notifies all other processes */
  readonly invalidate: (link: { domain_id: string; slug: string }) => void;
  /** Bytes of this machine's click log that are not counted yet; null without one */
  readonly waitingBytes: () => Promise<number | null>;
  /** UUIDs that sort by time (RFC 9562, version 7) */
  readonly newId: () => string;
}
