import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { withConnection } from "../../db/connection.ts";
import { dayMs } from "../../kernel/time.ts";
import { watchReplicas } from "../drain/cleanup/replication.ts";
import { deleteFinishedPositions } from "../drain/positions.ts";
import type { ClickStream } from "./click-stream.ts";

/** Positions of finished segments are kept for longer than any entry can be in transit. */
export const finishedDays = 1;
/** Milliseconds between deletions of positions */
const forgetMs = 3_600_000;

/** Everything up to `last` was counted at `at`. */
interface Mark {
  last: string;
  at: number;
}

/** A mark that the database knows; `written` is a position in its log after everything that was counted, if it tells. */
interface Noted extends Mark {
  written: bigint | null;
}

interface TrimmingOptions {
  pool: Pool;
  stream: ClickStream;
  lease: Lease;
  keepMs: number;
  acknowledgeMs: number;
}

/** Deletes entries the stream no longer needs, and records in the database where another node must continue. */
export function createTrimming({ pool, stream, lease, keepMs, acknowledgeMs }: TrimmingOptions) {
  /** Progress that the database does not know, and progress that it knows, oldest first */
  let marks: Mark[] = [];
  let noted: Noted[] = [];
  /** The last entry up to which the stream was trimmed */
  let trimmed: string | undefined;
  let forgotAt = Number.NEGATIVE_INFINITY;
  const replicasOf = watchReplicas();

  return {
    /** Forgets all progress: the stream is read again from where the database says. */
    restart(): void {
      marks = [];
      noted = [];
      trimmed = undefined;
    },
    /** Everything up to this entry is counted; null if nothing is. `now` is a time of `performance.now()`. */
    counted(last: string | null, now: number): void {
      if (last !== null && last !== marks.at(-1)?.last) marks.push({ last, at: now });
    },
    /** Records progress in the database, which renews the lease, and deletes entries kept long enough. */
    async run(now: number): Promise<void> {
      const next = takeWhile(marks, ({ at }) => now - at >= acknowledgeMs)?.last ?? lease.counted;
      if (!(await lease.advance(next))) return;
      const { written = null, confirmed = null } = (await withConnection(pool, replicasOf)) ?? {};
      if (next !== noted.at(-1)?.last && next !== trimmed) noted.push({ last: next, at: now, written });
      const isSafe = (mark: Noted) =>
        now - mark.at >= keepMs - acknowledgeMs ||
        (confirmed !== null && mark.written !== null && mark.written <= confirmed);
      const old = takeWhile(noted, isSafe);
      if (old !== undefined) {
        await stream.trim(old.last);
        trimmed = old.last;
      }
      if (now - forgotAt < forgetMs) return;
      forgotAt = now;
      // An older entry may be from a segment that has been finished since.
      const oldest = Math.min(Date.now(), (await stream.oldest()) ?? Number.POSITIVE_INFINITY);
      await deleteFinishedPositions(pool, new Date(oldest - finishedDays * dayMs));
    },
  };
}

/** Removes the first marks, as long as they satisfy a condition; returns the last of them. */
function takeWhile<T>(marks: T[], condition: (mark: T) => boolean): T | undefined {
  const index = marks.findIndex((mark) => !condition(mark));
  return marks.splice(0, index < 0 ? marks.length : index).at(-1);
}

/** A node that holds the lease and is silent for this long loses it. */
const leaseSeconds = 5;

/** One node at a time drains the stream. */
type Lease = ReturnType<typeof createLease>;

/**
 * The lease is a row, which also has the position up to which the stream is counted. The position is written after the counts; so a
 * database that lost counts, such as a promoted replica that lagged, has lost the position too, and the lease with it.
 */
export function createLease(pool: Pool) {
  let holder = "";
  let counted = "";
  let isHeld = false;

  return {
    /** As far as this process knows; another one may have taken it */
    get isHeld() {
      return isHeld;
    },
    /** Up to which entry the stream is counted, as the database knows; "" if it was never noted */
    get counted() {
      return counted;
    },
    /** Takes the lease and reads `counted`, unless a node has it. */
    async take(): Promise<boolean> {
      holder = randomUUID();
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
    /** Renews the lease, and notes up to which entry the stream is counted. Returns false if the lease was lost. */
    async advance(next: string): Promise<boolean> {
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
    async release(): Promise<void> {
      if (isHeld) await pool.query("update click_stream set until = null where holder = $1", [holder]);
      isHeld = false;
    },
  };
}
