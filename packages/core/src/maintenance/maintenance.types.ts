import type { Check } from "../kernel/meter.ts";

/** What has to be done for accounts from time to time. */
export interface Upkeep {
  /** Erases accounts whose time has come and deletes old activity; returns the number of erased accounts. */
  run(): Promise<number>;
  /** Repeats that about once a minute until the core is closed. Safe on several nodes at once. */
  start(): void;
  close(): Promise<void>;
}

export type Checks = Readonly<Record<string, Check>>;

/** What a process knows of itself. It is watched in the background, so reading it costs nothing and waits for nothing. */
export interface NodeState {
  /**
   * Begins to watch, when the process begins to serve. With `willDrain`, the backlog of the click log is measured before
   * `startDrain`, which waits for the database.
   */
  watch(options?: { willDrain: boolean }): void;
  /** The latest state by name: database, migrations, clock, purge_channel, click_log, click_stream, backlog; those that apply */
  checks(): Checks;
  close(): Promise<void>;
}
