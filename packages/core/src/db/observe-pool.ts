import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { noTracer, type Tracer } from "../kernel/tracer.ts";
import type { Meter } from "../kernel/meter.ts";

/** A slow statement, without its parameters, which are personal data. */
export interface SlowStatement {
  /** Its name, or the start of its text */
  statement: string;
  ms: number;
}

/** A statement as the driver gets it: its text, its text with a name, or a cursor, which has `submit`. */
type Statement = string | (QueryConfig & { submit?: unknown });
type End = (error: unknown) => void;

const maxText = 300;

/** Calls `report` for statements of the pool that take at least `limitMs`. */
export function watchStatements(pool: Pool, limitMs: number, report: (slow: SlowStatement) => void): void {
  observeStatements(pool, (statement) => {
    const started = performance.now();
    return () => {
      const ms = Math.round(performance.now() - started);
      if (ms >= limitMs) report({ statement: nameOf(statement) ?? shortened(textOf(statement)), ms });
    };
  });
}

/**
 * Shows statements of the pool in traces, by their names: a text may contain data of users. Those without a name are shown by
 * their first word. Returns the same pool.
 */
export function traceStatements(pool: Pool, tracer: Tracer): Pool {
  if (tracer === noTracer) return pool;
  observeStatements(pool, (statement) => {
    const name = nameOf(statement) ?? firstWord(textOf(statement));
    return tracer.begin(name, {
      kind: "client",
      attributes: { "db.system.name": "postgresql", "db.query.summary": name },
    });
  });
  // A caller that waits for a connection gets it from the one that gives it back, whose span is another one.
  const connect = pool.connect.bind(pool) as (callback?: (...values: unknown[]) => void) => unknown;
  pool.connect = ((callback) =>
    callback === undefined
      ? connect()
      : connect(AsyncLocalStorage.bind(callback))) as typeof connect as never;
  return pool;
}

/**
 * Calls `begin` before each statement of the pool, and what it returns at the statement's end. Cursors, which wait for their
 * readers, are left out.
 */
function observeStatements(pool: Pool, begin: (statement: Statement) => End | null): void {
  pool.on("connect", (client: PoolClient) => {
    const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
    client.query = ((...statement: unknown[]) => {
      const first = statement[0] as Statement;
      const isCursor = typeof first !== "string" && first.submit !== undefined;
      const end = isCursor ? null : begin(first);
      if (end === null) return query(...statement);
      const last = statement.at(-1);
      if (typeof last === "function") {
        return query(...statement.slice(0, -1), (error: unknown, ...result: unknown[]) => {
          end(error ?? null);
          (last as (...values: unknown[]) => void)(error, ...result);
        });
      }
      const result = query(...statement);
      if (result instanceof Promise) result.then(() => end(null), end);
      return result;
    }) as PoolClient["query"];
  });
}

const nameOf = (statement: Statement) => (typeof statement === "string" ? undefined : statement.name);
const textOf = (statement: Statement) => (typeof statement === "string" ? statement : statement.text);
const shortened = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, maxText);
const firstWord = (text: string) => /^\s*([a-z]{1,20})/i.exec(text)?.[1]?.toLowerCase() ?? "statement";

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
    // Taking an idle connection takes no time, and is on the path of every statement.
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
