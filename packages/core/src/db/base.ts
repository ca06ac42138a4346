import type { Redis } from "ioredis";
import type { Pool } from "pg";
import type { Dns } from "../kernel/dns.ts";
import type { CoreEvent } from "../kernel/events.ts";
import type { Meter } from "../kernel/meter.ts";
import type { PlanTable } from "../kernel/plans.ts";
import type { ShortHost } from "../kernel/host-names.ts";
import type { Tracer } from "../kernel/tracer.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Replicas } from "./replicas.ts";

/** Dependencies of every part of the core, in each process. Tests replace single ones. */
export interface Base {
  readonly databaseUrl: string;
  readonly pool: Pool;
  /** Servers that redirects, lists and reports are read from while they are current; null without any */
  readonly replicas: Replicas | null;
  /** Null if nodes share limits over the database, or not at all */
  readonly redis: Redis | null;
  readonly shortHost: ShortHost;
  /** Host names of the service itself; the short-link host is the first */
  readonly ownHosts: readonly string[];
  readonly plans: PlanTable;
  readonly dns: Dns;
  /** Sends requests to hosts that users chose */
  readonly outbound: Outbound;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  /** This process's metrics */
  readonly meter: Meter;
  /** Records this process's work as traces; `noTracer` without a collector */
  readonly tracer: Tracer;
  /** Called with conditions that an operator should know about */
  readonly onEvent: (event: CoreEvent) => void;
}
