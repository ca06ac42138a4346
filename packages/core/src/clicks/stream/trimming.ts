import type { Pool } from "pg";
import { acquireConnection } from "../../db/connection.ts";
import { dayMs } from "../../kernel/time.ts";
import { deleteFinishedPositions } from "../drain/cleanup/delete-segment.ts";
import { watchReplicas } from "../drain/cleanup/replication.ts";
import type { Lease } from "./lease.ts";
import type { ClickStream } from "./stream.types.ts";

/** For longer than any entry can be on its way, positions of finished segments are kept. */
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
  settleMs: number;
}

export interface Trimming {
  /** Forgets all progress: the stream is read again from where the database says. */
  restart(): void;
  /** Everything up to this entry is counted; null if nothing is. `now` is a time of `performance.now()`. */
  counted(last: string | null, now: number): void;
  /** Notes progress in the database, which renews the lease, and deletes what was kept long enough. */
  run(now: number): Promise<void>;
}

/** Deletes what the stream need no longer keep, and notes in the database from where another node has to read it. */
export function createTrimming({ pool, stream, lease, keepMs, settleMs }: TrimmingOptions): Trimming {
  /** Progress that the database does not know, and progress that it knows, oldest first */
  let marks: Mark[] = [];
  let noted: Noted[] = [];
  /** The last entry up to which the stream was trimmed */
  let trimmed: string | undefined;
  let forgotAt = Number.NEGATIVE_INFINITY;
  const replicasOf = watchReplicas();

  async function askReplicas(): Promise<{ written: bigint | null; confirmed: bigint | null }> {
    const { database, release } = await acquireConnection(pool);
    try {
      return (await replicasOf(database)) ?? { written: null, confirmed: null };
    } finally {
      release();
    }
  }

  async function forgetPositions(): Promise<void> {
    // An entry that is older may be of a segment that is finished since.
    const oldest = Math.min(Date.now(), (await stream.oldest()) ?? Number.POSITIVE_INFINITY);
    await deleteFinishedPositions(pool, new Date(oldest - finishedDays * dayMs));
  }

  return {
    restart() {
      marks = [];
      noted = [];
      trimmed = undefined;
    },
    counted(last, now) {
      if (last !== null && last !== marks.at(-1)?.last) marks.push({ last, at: now });
    },
    async run(now) {
      const next = takeWhile(marks, ({ at }) => now - at >= settleMs)?.last ?? lease.counted;
      if (!(await lease.advance(next))) return;
      const { written, confirmed } = await askReplicas();
      if (next !== noted.at(-1)?.last && next !== trimmed) noted.push({ last: next, at: now, written });
      const isSafe = (mark: Noted) =>
        now - mark.at >= keepMs - settleMs ||
        (confirmed !== null && mark.written !== null && mark.written <= confirmed);
      const old = takeWhile(noted, isSafe);
      if (old !== undefined) {
        await stream.trim(old.last);
        trimmed = old.last;
      }
      if (now - forgotAt < forgetMs) return;
      forgotAt = now;
      await forgetPositions();
    },
  };
}

/** Removes the first marks, as long as they satisfy a condition; returns the last of them. */
function takeWhile<T>(marks: T[], condition: (mark: T) => boolean): T | undefined {
  const index = marks.findIndex((mark) => !condition(mark));
  return marks.splice(0, index < 0 ? marks.length : index).at(-1);
}
