import type { Check } from "../../kernel/meter.types.ts";

/** Where ClickHouse is, and how long it keeps clicks. */
export interface ClickHouseSettings {
  /** http://user:password@host:8123/database, or https */
  url: string;
  /** Clicks older than this are dropped there, a month at a time; default: never */
  retentionDays?: number | undefined;
}

/** The copy of raw clicks in ClickHouse, as its users see it. */
export interface ClickHouseCopy {
  /** Copies what is counted, in the background, until it is closed; retries while ClickHouse or the database is unreachable. */
  start(): void;
  /** Copies what is counted now. Throws if ClickHouse or the database is unreachable. */
  catchUp(): Promise<void>;
  /** Whether the last attempt to reach ClickHouse failed */
  readonly isAway: boolean;
  /** For probes */
  check(): Check;
  /** Stops after what is under way. */
  close(): Promise<void>;
}
