import type { Pool } from "pg";
import { openSnapshot, type Snapshot } from "../db/snapshot.ts";
import { AppError } from "../errors.ts";

/** An export keeps its connection for as long as its client reads; most of the connections are for everybody else. */
const shareOfPool = 4;

interface Turns {
  free: number;
  waiting: Set<() => void>;
}

const turnsOf = new WeakMap<Pool, Turns>();

/** How long somebody waits, in milliseconds: an export for its turn, and its connection for a client that stands still. */
export interface Patience {
  turnMs: number;
  clientMs: number;
}

/** Sends pieces that are made on a connection of their own. 503 where too many others are being sent. */
export async function* inTurn(
  pool: Pool,
  pieces: (snapshot: Snapshot) => AsyncGenerator<string, void>,
  { turnMs, clientMs }: Patience = { turnMs: 10_000, clientMs: 60_000 },
): AsyncGenerator<string, void> {
  const giveBack = await takeTurn(pool, turnMs);
  let snapshot: Snapshot | undefined;
  let ending: Promise<void> | undefined;
  const end = async () => {
    await snapshot?.close();
    giveBack();
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

/** Waits for a turn; the answer gives it back. */
async function takeTurn(pool: Pool, patienceMs: number): Promise<() => void> {
  const most = Math.max(1, Math.floor(pool.options.max / shareOfPool));
  const turns = turnsOf.get(pool) ?? { free: most, waiting: new Set() };
  turnsOf.set(pool, turns);
  if (turns.free > 0) turns.free -= 1;
  else await waitIn(turns.waiting, patienceMs);
  return () => {
    const [next] = turns.waiting;
    if (next) next();
    else turns.free += 1;
  };
}

function waitIn(waiting: Set<() => void>, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(patience);
      waiting.delete(go);
      resolve();
    };
    const patience = setTimeout(() => {
      waiting.delete(go);
      const message = "Too many exports are under way; try again shortly";
      reject(new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 }));
    }, patienceMs);
    waiting.add(go);
  });
}
