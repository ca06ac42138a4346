/** What has to be done for accounts from time to time. */
export interface Upkeep {
  /** Erases accounts whose time has come and deletes old activity; returns the number of erased accounts. */
  run(): Promise<number>;
  /** Repeats that about once a minute until the core is closed. Safe on several nodes at once. */
  start(): void;
  close(): Promise<void>;
}
