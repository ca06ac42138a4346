import type { Pool } from "pg";
import { CircuitBreaker, isUnavailable, unavailable } from "../../db/circuit-breaker.ts";
import { SingleFlight } from "../../kernel/async/single-flight.ts";
import { type Granted, isUsedUp, takeClicks } from "./statements.ts";

/** What a visit got: a click of the limit, none, or the news that the link has no limit or does not exist by now. */
export type Taken = "click" | "none" | "no limit" | "deleted";

export interface Permits {
  /**
   * Takes one of a link's limited clicks for a visit that is about to be redirected and recorded. 503 if the database is
   * unreachable, or if the click log cannot keep the click. `limit` is the one that the caller knows.
   */
  take(linkId: string, limit: number): Promise<Taken>;
  /** Whether all clicks of a link are taken. 503 if the database is unreachable. */
  isUsedUp(linkId: string, limit: number): Promise<boolean>;
  /** The same as far as this process knows: it may be used up although this returns false. */
  isKnownUsedUp(linkId: string, limit: number): boolean;
  close(): Promise<void>;
}

/** For this long nobody asks the database again whether clicks are left; crashes and repairs give some back. */
const usedUpMs = 500;
const maxUsedUp = 10_000;
/** Pause between attempts to undo what may have been taken */
const retryMs = 1000;

interface Waiter {
  resolve(taken: Taken): void;
  reject(error: unknown): void;
}

/** The visits of a link that wait for this process's next attempt. */
interface Queue {
  waiting: Waiter[];
  running: Promise<void> | null;
  /** See Attempt */
  undone: number | null;
}

/**
 * Takes clicks for the visits of a process: for each link one attempt at a time, which takes as many as visits wait. So no
 * process holds clicks that nobody waits for, which others would then miss, and a busy link costs a few statements.
 */
export function createPermits({
  pool,
  writer,
  canKeepClicks,
}: {
  pool: Pool;
  /** Identifies the clicks of this process in the click log */
  writer: string;
  canKeepClicks: () => boolean;
}): Permits {
  const queues = new Map<string, Queue>();
  const usedUp = new Map<string, number>();
  const reads = new SingleFlight<boolean>();
  const breaker = new CircuitBreaker();
  let turn = 0;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const keyOf = (linkId: string, limit: number | null) => `${linkId}/${limit}`;

  function rememberUsedUp(linkId: string, limit: number | null): void {
    if (usedUp.size >= maxUsedUp) usedUp.clear();
    usedUp.set(keyOf(linkId, limit), performance.now() + usedUpMs);
  }

  const isKnownUsedUp: Permits["isKnownUsedUp"] = (linkId, limit) =>
    (usedUp.get(keyOf(linkId, limit)) ?? 0) > performance.now();

  /** Attempts until nobody waits. */
  async function run(linkId: string, queue: Queue): Promise<void> {
    do {
      const waiting = queue.waiting.splice(0);
      turn += 1;
      const attempt = { linkId, writer, turn, wanted: waiting.length, undone: queue.undone };
      // Until it is answered, it may have been made.
      queue.undone ??= turn;
      try {
        const granted = await breaker.run(() => takeClicks(pool, attempt));
        queue.undone = null;
        handOut(linkId, waiting, granted);
      } catch (error) {
        for (const { reject } of waiting) reject(isUnavailable(error) ? error : unavailable(error));
      }
    } while (queue.waiting.length > 0);
    queue.running = null;
    if (queue.undone === null) queues.delete(linkId);
    else scheduleUndo();
  }

  function handOut(linkId: string, waiting: readonly Waiter[], result: Granted): void {
    if (result === "deleted" || result.limit === null) {
      for (const { resolve } of waiting) resolve(result === "deleted" ? "deleted" : "no limit");
      return;
    }
    const { granted, limit } = result;
    if (granted < waiting.length) rememberUsedUp(linkId, limit);
    for (const [at, { resolve }] of waiting.entries()) resolve(at < granted ? "click" : "none");
  }

  function attemptAll(): Promise<void[]> {
    return Promise.all(Array.from(queues, ([linkId, queue]) => (queue.running ??= run(linkId, queue))));
  }

  function scheduleUndo(): void {
    if (closed || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      void attemptAll();
    }, retryMs).unref();
  }

  return {
    take(linkId, limit) {
      if (isKnownUsedUp(linkId, limit)) return Promise.resolve("none");
      if (closed || !canKeepClicks()) return Promise.reject(unavailable());
      let queue = queues.get(linkId);
      if (queue === undefined) queues.set(linkId, (queue = { waiting: [], running: null, undone: null }));
      const { waiting } = queue;
      const taken = new Promise<Taken>((resolve, reject) => waiting.push({ resolve, reject }));
      queue.running ??= run(linkId, queue);
      return taken;
    },
    isKnownUsedUp,
    async isUsedUp(linkId, limit) {
      if (isKnownUsedUp(linkId, limit)) return true;
      const result = await reads.run(linkId, () => breaker.run(() => isUsedUp(pool, linkId)));
      if (result) rememberUsedUp(linkId, limit);
      return result;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await attemptAll();
    },
  };
}
