import type { Pool } from "pg";

/** A node that holds the lease and is gone for this long loses it. */
const leaseSeconds = 5;

/** One node at a time drains the stream. */
export interface Lease {
  /** As far as this process knows; another one may have taken it */
  readonly isHeld: boolean;
  /** Up to which entry the stream is counted, as the database knows; "" if it was never noted */
  readonly counted: string;
  /** Takes the lease and reads `counted`, unless a node has it. */
  take(): Promise<boolean>;
  /** Renews the lease, and notes up to which entry the stream is counted. Returns false if the lease was lost. */
  advance(counted: string): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * The lease is a row, which also has the place up to which the stream is counted. The place is written after the counts; so a
 * database that lost counts, such as a promoted replica that lagged, has lost the place too, and the lease with it.
 */
export function createLease(pool: Pool, newHolder: () => string): Lease {
  let holder = newHolder();
  let counted = "";
  let isHeld = false;

  return {
    get isHeld() {
      return isHeld;
    },
    get counted() {
      return counted;
    },
    async take() {
      holder = newHolder();
      const { rows } = await pool.query<{ counted: string }>({
        name: "take-click-stream",
        text: `update click_stream set holder = $1, until = now() + interval '${leaseSeconds} seconds'
               where until is null or until <= now() returning counted`,
        values: [holder],
      });
      isHeld = rows[0] !== undefined;
      counted = rows[0]?.counted ?? "";
      return isHeld;
    },
    async advance(next) {
      isHeld = false;
      const { rowCount } = await pool.query({
        name: "renew-click-stream",
        text: `update click_stream set until = now() + interval '${leaseSeconds} seconds', counted = $3
               where holder = $1 and counted = $2`,
        values: [holder, counted, next],
      });
      if (rowCount === 1) [isHeld, counted] = [true, next];
      return isHeld;
    },
    async release() {
      if (isHeld) await pool.query("update click_stream set until = null where holder = $1", [holder]);
      isHeld = false;
    },
  };
}
