import type { Pool } from "pg";
import { openSnapshot, type Snapshot } from "../db/snapshot.ts";
import { limiterPerPool } from "../concurrency/concurrency-limiter.ts";

/** An export keeps its connection for as long as its client reads; most of the connections are for everybody else. */
const turnsIn = limiterPerPool("exports", 1 / 4);

/** How long somebody waits, in milliseconds: an export for its turn, and its connection for a client that stands still. */
export interface ExportTimeouts {
  turnMs: number;
  clientMs: number;
}

/** Sends an account's pieces, made on a connection of their own. 503 where too many others are being sent. */
export async function* withExportSlot(
  pool: Pool,
  accountId: string,
  pieces: (snapshot: Snapshot) => AsyncGenerator<string, void>,
  { turnMs, clientMs }: ExportTimeouts = { turnMs: 10_000, clientMs: 60_000 },
): AsyncGenerator<string, void> {
  const release = await turnsIn(pool).acquire(accountId, turnMs);
  let snapshot: Snapshot | undefined;
  let ending: Promise<void> | undefined;
  const end = async () => {
    await snapshot?.close();
    release();
  };
  try {
    snapshot = await openSnapshot(pool);
    for await (const piece of pieces(snapshot)) {
      const patience = setTimeout(() => {
        ending ??= end();
      }, clientMs);
      try {
        yield piece;
      } finally {
        clearTimeout(patience);
      }
      if (ending) throw new Error("The client of an export did not read on");
    }
  } finally {
    await (ending ??= end());
  }
}
