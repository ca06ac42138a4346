/** The checks of links' destinations. */
export interface HealthChecks {
  /** Checks the destinations that are due now; returns how many. None if checks are off. */
  checkDue(): Promise<number>;
  /** Checks in the background until the core is closed; does nothing if checks are off. */
  start(): void;
  /** Stops; checks that are under way change nothing. */
  close(): Promise<void>;
}
