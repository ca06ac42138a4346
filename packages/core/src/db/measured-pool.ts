import type { Pool, PoolClient } from "pg";
import type { Meter } from "../kernel/meter.types.ts";

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** Measures how many connections of a pool are in use, and how long callers wait for one. Returns the same pool. */
export function measuredPool(pool: Pool, meter: Meter): Pool {
  const wait = meter.histogram("terse_database_wait_seconds");
  const connect = pool.connect.bind(pool) as {
    (): Promise<PoolClient>;
    (callback: Callback): void;
  };
  function measured(callback?: Callback): Promise<PoolClient> | void {
    // Nobody waits for a connection that is idle, and taking it is on the path of every statement.
    if (pool.idleCount > 0) return callback ? connect(callback) : connect();
    const started = performance.now();
    const taken = () => wait.observe((performance.now() - started) / 1000);
    if (callback) {
      return connect((...result: Parameters<Callback>) => {
        taken();
        callback(...result);
      });
    }
    return connect().finally(taken);
  }
  pool.connect = measured as Pool["connect"];
  meter.read("terse_database_connections", () => pool.totalCount - pool.idleCount, { state: "used" });
  meter.read("terse_database_connections", () => pool.idleCount, { state: "idle" });
  meter.read("terse_database_waiting", () => pool.waitingCount);
  return pool;
}
