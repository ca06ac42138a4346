import type { Pool } from "pg";
import { openSnapshot, type Snapshot } from "../db/snapshot.ts";
import { AppError } from "../errors.ts";

/** An export keeps its connection for as long as its client reads; most of the connections are for everybody else. */
const shareOfPool = 4;
/** Of the turns, so that no account's slow clients keep all others from exporting. */
const shareOfAccount = 2;

const turnsOf = new WeakMap<Pool, Turns>();

/** How long somebody waits, in milliseconds: an export for its turn, and its connection for a client that stands still. */
export interface Patience {
  turnMs: number;
  clientMs: number;
}

/** Sends an account's pieces, made on a connection of their own. 503 where too many others are being sent. */
export async function* inTurn(
  pool: Pool,
  accountId: string,
  pieces: (snapshot: Snapshot) => AsyncGenerator<string, void>,
  { turnMs, clientMs }: Patience = { turnMs: 10_000, clientMs: 60_000 },
): AsyncGenerator<string, void> {
  const giveBack = await turnsIn(pool).take(accountId, turnMs);
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

function turnsIn(pool: Pool): Turns {
  const turns = turnsOf.get(pool) ?? new Turns(Math.max(1, Math.floor(pool.options.max / shareOfPool)));
  turnsOf.set(pool, turns);
  return turns;
}

interface Waiting {
  accountId: string;
  go: () => void;
}

/** Who comes first goes first, but for accounts that have their share. */
class Turns {
  #free: number;
  readonly #mostOfOne: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(most: number) {
    this.#free = most;
    this.#mostOfOne = Math.max(1, Math.floor(most / shareOfAccount));
  }

  /** Waits for a turn; the answer gives it back. */
  async take(accountId: string, patienceMs: number): Promise<() => void> {
    if (this.#isFreeFor(accountId)) this.#begin(accountId);
    else await this.#wait(accountId, patienceMs);
    return () => this.#end(accountId);
  }

  #heldBy(accountId: string): number {
    return this.#held.get(accountId) ?? 0;
  }

  #isFreeFor(accountId: string): boolean {
    return this.#free > 0 && this.#heldBy(accountId) < this.#mostOfOne;
  }

  #begin(accountId: string): void {
    this.#free -= 1;
    this.#held.set(accountId, this.#heldBy(accountId) + 1);
  }

  #end(accountId: string): void {
    this.#free += 1;
    const held = this.#heldBy(accountId) - 1;
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
    for (const waiting of this.#waiting) if (this.#isFreeFor(waiting.accountId)) waiting.go();
  }

  #wait(accountId: string, patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        accountId,
        go: () => {
          clearTimeout(patience);
          this.#waiting.delete(waiting);
          this.#begin(accountId);
          resolve();
        },
      };
      const patience = setTimeout(() => {
        this.#waiting.delete(waiting);
        const message = "Too many exports are under way; try again shortly";
        reject(new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 }));
      }, patienceMs);
      this.#waiting.add(waiting);
    });
  }
}
