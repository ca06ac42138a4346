import type { Pool } from "pg";
import { backgroundLoop } from "../kernel/async/background-loop.ts";
import { endConnections } from "../db/connection.ts";
import { isUpToDate } from "../schema/migrate.ts";
import { reasonOf } from "../kernel/errors.ts";

const intervalMs = 500;
/** Time for an answer. With the interval before it, a node that is cut off knows within two seconds. */
const timeoutMs = 1000;
const staleMs = intervalMs + timeoutMs;

/** Asks the database twice a second, on its own connection: a busy pool does not mean an unavailable database. */
export function watchDatabase(pool: Pool, clock: () => Date, onSkew: (ms: number) => void) {
  let answeredAt = -Infinity;
  let reason: string | undefined;
  let isStandby = false;
  let isMigrated = false;
  let skew = 0;

  async function ask(): Promise<void> {
    const connection = await pool.connect();
    let broken: boolean | Error = false;
    try {
      const sent = clock().getTime();
      const { rows } = await connection.query<{ standby: boolean; now: number }>({
        name: "state-of-database",
        text: `select pg_is_in_recovery() as standby,
                 (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
      });
      const [{ standby, now }] = rows as [{ standby: boolean; now: number }];
      skew = skewOf({ sent, received: clock().getTime(), database: now });
      isStandby = standby;
      isMigrated ||= await isUpToDate(connection);
      answeredAt = performance.now();
      reason = undefined;
      onSkew(skew);
    } catch (error) {
      broken = true;
      throw error;
    } finally {
      connection.release(broken);
    }
  }

  const fail = (error: unknown) => {
    answeredAt = -Infinity;
    reason = reasonOf(error);
  };
  const loop = backgroundLoop({
    async runOnce() {
      await ask().catch(fail);
      return intervalMs;
    },
    retryMs: intervalMs,
    onFailure: fail,
  });

  return {
    /** Why the database cannot be used; null if it can */
    failure(): { detail: string; reason?: string } | null {
      if (performance.now() - answeredAt > staleMs) {
        const detail = "the database does not answer";
        return { detail, reason: reason ?? `no answer for more than ${staleMs / 1000} s` };
      }
      return isStandby
        ? { detail: "the database is in recovery: it is a standby, which stores nothing" }
        : null;
    },
    isMigrated: () => isMigrated,
    /** Milliseconds that the database's clock is ahead; 0 until it is known */
    skewMs: () => skew,
    start: loop.start,
    async close() {
      const stopped = loop.stop();
      await endConnections(pool);
      await stopped;
    },
  };
}

/** Differences between two clocks, in milliseconds, at which an operator is warned and a node should not serve. */
export const warnFromMs = 1000;
export const refuseFromMs = 60_000;

/**
 * How far the database's clock is ahead of ours, in milliseconds; negative if it is behind. `database` is its time between
 * `sent`, when we asked, and `received`, when the answer arrived. Zero if the answer's travel time can explain the difference: a slow answer is not a wrong clock.
 */
export function skewOf({
  sent,
  received,
  database,
}: Record<"sent" | "received" | "database", number>): number {
  if (database > received) return database - received;
  return database < sent ? database - sent : 0;
}
