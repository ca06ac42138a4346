import type { Pool } from "pg";
import { openSnapshot, type Snapshot } from "../db/snapshot.ts";
import { AppError } from "../errors.ts";

/** An export keeps its connection for as long as its client reads; most of the connections are for everybody else. */
const shareOfPool = 4;
const running = new WeakMap<Pool, number>();

/** Sends pieces that are made on a connection of their own. 503 where too many others are being sent. */
export async function* inTurn(
  pool: Pool,
  pieces: (snapshot: Snapshot) => AsyncGenerator<string, void>,
  patienceMs = 60_000,
): AsyncGenerator<string, void> {
  const most = Math.max(1, Math.floor(pool.options.max / shareOfPool));
  const others = running.get(pool) ?? 0;
  if (others >= most) {
    throw new AppError("SERVICE_UNAVAILABLE", "Too many exports are under way; try again shortly", {
      retryAfter: 10,
    });
  }
  running.set(pool, others + 1);
  let snapshot: Snapshot | undefined;
  let ended = false;
  const end = async () => {
    if (ended) return;
    ended = true;
    running.set(pool, (running.get(pool) ?? 1) - 1);
    await snapshot?.close();
  };
  try {
    snapshot = await openSnapshot(pool);
    for await (const piece of pieces(snapshot)) {
      // A client that stands still holds up nobody: what is half read then fails.
      const patience = setTimeout(() => void end(), patienceMs);
      try {
        yield piece;
      } finally {
        clearTimeout(patience);
      }
      if (ended) throw new Error("The client did not read on");
    }
  } finally {
    await end();
  }
}
