import { dayMs } from "../../kernel/time.ts";
import type { CopyState } from "./state.ts";
import type { Contents } from "./tables.ts";

/**
 * Milliseconds since the epoch before which ClickHouse will not have all clicks when PostgreSQL's are copied, which are those from
 * `until` on; null if it will have all. Older months in ClickHouse count if the copy was known to have them, and if nothing can be
 * missing between them and `until`. It may have fewer than was known: a restored database does not know what was dropped since.
 */
export function sinceOf({
  until,
  state,
  contents: { shipment, first, last },
  isQueueing,
}: {
  /** The end of the last month that PostgreSQL dropped; 0 if it dropped none */
  until: number;
  /** Null if PostgreSQL knows of no copy */
  state: CopyState | null;
  contents: Contents;
  /** Whether clicks were put into the queue until now */
  isQueueing: boolean;
}): number | null {
  if (until === 0) return null;
  if (state === null || first === null || last === null || first >= until) return until;
  // Clicks are counted, and copied, a little later than they happen.
  const reaches = last >= until + dayMs;
  const lacksShipments = shipment < state.shipped || !isQueueing;
  return lacksShipments && !reaches ? until : Math.max(state.since ?? 0, monthOf(first));
}

function monthOf(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
