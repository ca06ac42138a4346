import type { Socket } from "node:net";
import pg, { type Pool, type PoolClient, type PoolConfig } from "pg";
import { PrimaryClient } from "./client.ts";
import { acquireConnection, endConnections } from "./connection.ts";
import { isRefusedForNow } from "./errors.ts";

/** date, timestamp, timestamptz: the ORM parses their text itself. */
const dateTypes = [1082, 1114, 1184];

export interface PoolOptions {
  /** Maximum number of connections */
  size: number;
  /** Milliseconds after which PostgreSQL cancels a statement (57014); 0: no limit */
  statementMs?: number;
  /**
   * Milliseconds without traffic after which a connection is considered lost and its caller gets ETIMEDOUT; 0: never.
   * Longer than any statement, and than any pause between statements.
   */
  silenceMs?: number;
  /** What the connections are for, in their `application_name`, unless the URL has one */
  role?: string;
  /** Connections that stay open while nothing uses them; default 1. Others are closed after ten seconds. */
  kept?: number;
}

/**
 * Opens a pool, whose connections open on demand, to the primary if the URL names several hosts. Dates are read as text.
 * The caller ends the pool.
 */
export function openPool(
  databaseUrl: string,
  {
    size,
    statementMs = 30_000,
    silenceMs = statementMs && statementMs + 60_000,
    kept = 1,
    role,
  }: PoolOptions,
): Pool {
  const types = new pg.TypeOverrides();
  for (const oid of dateTypes) types.setTypeParser(oid, (text: string) => text);
  const pool = new QueueingPool({
    connectionString: databaseUrl,
    max: size,
    min: Math.min(kept, size),
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    application_name: role === undefined ? "terse" : `terse ${role}`,
    // A host that is gone is detected within half a minute, a network that drops everything after `silenceMs`.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    Client: PrimaryClient as never,
  });
  // Without a listener Node would exit when an idle connection is lost.
  pool.on("error", () => {});
  // An idle connection may be silent.
  const onSilence = function (this: Socket) {
    const message = `The database has been silent for ${silenceMs / 1000} s`;
    this.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
  };
  pool.on("acquire", ({ connection }) => (connection.stream as Socket).setTimeout(silenceMs, onSilence));
  pool.on("release", (_, { connection }) => (connection.stream as Socket).setTimeout(0, onSilence));
  return pool;
}

/**
 * Opens connections and returns them to the pool, so that a server that is full later does not refuse them. Does
 * nothing if the server refuses them now.
 */
export async function holdConnections(pool: Pool, count: number): Promise<void> {
  const connections = await Promise.allSettled(Array.from({ length: count }, () => acquireConnection(pool)));
  for (const connection of connections) if (connection.status === "fulfilled") connection.value.release();
}

/** How long a pool opens no further connections after the server refused one. */
const fullMs = 1000;

type Acquired = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose callers queue for its open connections while the server refuses further ones. */
class QueueingPool extends pg.Pool {
  /** Connections that the server allows, while it refuses further ones */
  #allowed = Number.POSITIVE_INFINITY;
  #full: NodeJS.Timeout | undefined;
  #used = 0;
  /** Callers that were refused while nothing was open, but other connections were being opened */
  #refused: Acquired[] = [];
  /** How many of those connections the server may still accept */
  #undecided = 0;

  constructor(options: PoolConfig) {
    super(options);
    this.on("acquire", () => {
      this.#used += 1;
      for (const callback of this.#refused.splice(0)) this.#waitForOne(callback);
    });
    this.on("release", () => (this.#used -= 1));
  }

  /**
   * The driver's own question before it opens a connection, for which it has no public hook: if a new version no longer asks
   * it, the tests of a server that refuses connections fail. `options.max` is what others derive limits from.
   */
  _isFull(): boolean {
    const allowed = this.#refused.length > 0 ? 1 : this.#allowed;
    return this.totalCount >= Math.min(this.options.max, allowed);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | void {
    if (callback !== undefined) return this.#acquire(callback);
    return new Promise((resolve, reject) => {
      this.#acquire((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  #acquire(callback: Acquired): void {
    super.connect((error, client, done) => {
      if (isRefusedForNow(error) && !this.ending) {
        if (this.#open > 0) return this.#waitForOne(callback);
        this.#undecided = this.#refused.length === 0 ? this.totalCount : this.#undecided - 1;
        this.#refused.push(callback);
        if (this.#undecided > 0 && this.totalCount > 0) return;
      } else callback(error, client, done);
      if (error) for (const refused of this.#refused.splice(0)) refused(error, undefined, done);
    });
  }

  /** Connections that work, without those that are being opened */
  get #open(): number {
    return this.#used + this.idleCount;
  }

  /** Waits for a connection that is in use, and opens no further ones for a while. */
  #waitForOne(callback: Acquired): void {
    this.#allowed = this.#open;
    clearTimeout(this.#full);
    this.#full = setTimeout(() => {
      this.#allowed = Number.POSITIVE_INFINITY;
    }, fullMs).unref();
    this.#acquire(callback);
  }
}

/** Runs work that has no time limit, such as a migration, on two separate connections. */
export async function withDedicatedPool<T>(
  databaseUrl: string,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const pool = openPool(databaseUrl, { size: 2, statementMs: 0, role: "maintenance" });
  try {
    return await work(pool);
  } finally {
    await endConnections(pool);
  }
}
