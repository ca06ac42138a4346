import type { Check } from "../kernel/meter.ts";

/** Recurring work on the data of accounts. */
export interface Chores {
  /** Runs every chore once; returns the number of erased accounts. */
  run(): Promise<number>;
  /** Repeats each about once a minute until the core is closed. Safe on several nodes at once. */
  start(): void;
  close(): Promise<void>;
}

export type Checks = Readonly<Record<string, Check>>;

/** A process's view of itself. It is watched in the background, so reading it costs nothing and never waits. */
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
