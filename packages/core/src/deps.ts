import type { Pool } from "pg";
import type { Orm } from "./db/orm.ts";
import type { ShortHost } from "./domains/index.ts";
import type { CreationLimit } from "./links/index.ts";
import type { PlanTable } from "./plans.ts";

/** What operations reach the world through; made once by createCore, replaced piece by piece in tests. */
export interface Deps {
  readonly orm: Orm;
  /** The same connections as the ORM's, for the few statements where its comfort costs too much */
  readonly pool: Pool;
  readonly plans: PlanTable;
  readonly shortHost: ShortHost;
  readonly creationLimit: CreationLimit;
  /** Fixed part of API keys, before the underscore */
  readonly keyPrefix: string;
  readonly clock: () => Date;
  /** UUIDs that sort by time (RFC 9562, version 7) */
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
}
