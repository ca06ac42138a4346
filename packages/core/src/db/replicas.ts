import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { backgroundLoop } from "../kernel/async/background-loop.ts";
import { endConnections } from "./connection.ts";
import { placeOf } from "./database-url.ts";
import { isFull } from "./errors.ts";
import { openPool } from "./pool.ts";
import type { Tracer } from "../kernel/tracer.ts";
import { traceStatements } from "./observe-pool.ts";

/** Pause between two probes of the primary and the replicas */
const pollMs = 100;
/** A server that does not answer a probe within this time is unavailable. */
const answerMs = 500;
/** Probes of the primary that are kept: those of the longest lag that matters */
const maxSamples = 1000;
/** Written accounts and changed links that are remembered one by one */
const maxChanges = 10_000;

/** A position in the WAL, in bytes. */
type Position = number;

/** The largest header of a WAL page: before its first record, a position may be on either side of it. */
const pageHeader = 40;
const pageSize = 8192;
const withoutHeader = (at: Position): Position => (at % pageSize <= pageHeader ? at - (at % pageSize) : at);

const primaryQuery = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position,
  ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`;

// The timeline is hidden from roles without pg_read_all_stats.
const replicaQuery = `select case when pg_is_in_recovery()
    then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position,
  (select received_tli from pg_stat_wal_receiver) as timeline`;

interface State {
  position: Position | null;
  timeline: number | null;
}

/** A server's answer to a probe, and the time of asking by `performance.now()`. */
interface ProbeResult extends State {
  at: number;
}

/** A server to read from. */
export interface Replica {
  readonly pool: Pool;
  /** It has everything committed before this, by `performance.now()`. */
  readonly asOf: number;
}

class ReadReplica {
  asOf = Number.NEGATIVE_INFINITY;
  /** The latest `asOf` so far. After a failover it has the same, or the whole database has lost it. */
  reached = Number.NEGATIVE_INFINITY;
  isUnavailable = true;
  /** Whether it follows a primary; one that was promoted may have gone another way */
  isStandby = false;
  /** Such as db2.internal:5432 */
  readonly name: string;
  readonly pool: Pool;
  readonly probe: HealthProbe;

  constructor(url: string, size: number, tracer: Tracer) {
    this.name = placeOf(url);
    this.pool = traceStatements(openPool(url, { size }), tracer);
    this.probe = new HealthProbe(url, replicaQuery);
  }
}

/** Asks a server for its state, on a connection of its own: a busy pool does not mean that its server is unavailable. */
class HealthProbe {
  readonly #pool: Pool;
  readonly #text: string;
  #pending: Promise<ProbeResult | "full" | null> | null = null;

  constructor(url: string, text: string) {
    this.#pool = openPool(url, { size: 1, statementMs: answerMs, role: "replication" });
    this.#text = text;
  }

  /** Null if the server does not answer in time; the next call then waits for the same answer. "full": it takes no connection. */
  ask(): Promise<ProbeResult | "full" | null> {
    this.#pending ??= this.#query().finally(() => {
      this.#pending = null;
    });
    return Promise.race([this.#pending, sleep(answerMs, null, { ref: false })]);
  }

  close(): Promise<void> {
    return endConnections(this.#pool);
  }

  async #query(): Promise<ProbeResult | "full" | null> {
    const at = performance.now();
    try {
      const statement = { text: this.#text, query_timeout: answerMs } as { text: string };
      const { rows } = await this.#pool.query<State>(statement);
      return rows[0] ? { at, ...rows[0] } : null;
    } catch (error) {
      return isFull(error) ? "full" : null;
    }
  }
}

export interface ReplicaOptions {
  /** One URL for each replica */
  urls: readonly string[];
  /** Connections to each */
  size: number;
  /** How far behind the primary reads may be, in milliseconds */
  maxLagMs: number;
  primaryUrl: string;
  tracer: Tracer;
}

/**
 * Replicas of the database, and how current each is. No clock of another machine is involved: the primary was at a position of
 * its WAL when we asked at a time of ours, so a replica that has replayed this position has everything committed before.
 */
export class Replicas {
  readonly #replicas: readonly ReadReplica[];
  readonly #primary: HealthProbe;
  readonly #maxLagMs: number;
  readonly #since = performance.now();
  /** When the primary was asked, and where it was; oldest first */
  #samples: { at: number; position: Position }[] = [];
  #timeline: number | null = null;
  #isPrimaryUnavailable = false;
  #next = 0;
  readonly #loop;

  constructor({ urls, size, maxLagMs, primaryUrl, tracer }: ReplicaOptions) {
    this.#replicas = urls.map((url) => new ReadReplica(url, size, tracer));
    this.#primary = new HealthProbe(primaryUrl, primaryQuery);
    this.#maxLagMs = maxLagMs;
    this.#loop = backgroundLoop({
      runOnce: async () => {
        await this.#probeAll();
        return pollMs;
      },
      retryMs: pollMs,
    });
    this.#loop.start();
  }

  /** True if the primary did not answer its last probe. */
  get isPrimaryUnavailable(): boolean {
    return this.#isPrimaryUnavailable;
  }

  /** A replica within the allowed lag that has everything committed before `since`; null if there is none. */
  fresh(since = Number.NEGATIVE_INFINITY): Replica | null {
    const least = Math.max(since, performance.now() - this.#maxLagMs);
    const found = this.#replicas.filter(
      ({ isUnavailable, isStandby, asOf }) => !isUnavailable && isStandby && asOf >= least,
    );
    return found[this.#next++ % found.length] ?? null;
  }

  /**
   * For when there is no primary: the replicas with all before `since`, however old, in the order in which to try them. One that
   * did not answer its last probe comes last: on a busy machine, it may only be slow.
   */
  latest(since = Number.NEGATIVE_INFINITY): Replica[] {
    const found = this.#replicas.filter(({ reached }) => reached >= since);
    return found.toSorted(
      (left, right) =>
        Number(left.isUnavailable) - Number(right.isUnavailable) || right.reached - left.reached,
    );
  }

  /** Seconds by which each replica may be behind the primary, by the replica's host and port; 0 for the primary itself. */
  lags(): { replica: string; seconds: number }[] {
    const now = performance.now();
    return this.#replicas.map(({ name, asOf, isUnavailable, isStandby }) => ({
      replica: name,
      seconds: isStandby || isUnavailable ? (now - Math.max(asOf, this.#since)) / 1000 : 0,
    }));
  }

  async close(): Promise<void> {
    await this.#loop.stop();
    await Promise.all([
      this.#primary.close(),
      ...this.#replicas.flatMap(({ pool, probe }) => [endConnections(pool), probe.close()]),
    ]);
  }

  async #probeAll(): Promise<void> {
    await Promise.all([
      this.#probePrimary(),
      ...this.#replicas.map((replica) => this.#probeReplica(replica)),
    ]);
    for (const replica of this.#replicas) this.#rate(replica);
  }

  async #probePrimary(): Promise<void> {
    const state = await this.#primary.ask();
    this.#isPrimaryUnavailable = state === null;
    if (state === null || state === "full" || state.position === null) return;
    // Positions of another timeline cannot be compared: after a failover, the replicas' lag is unknown at first.
    if (state.timeline !== this.#timeline) {
      this.#samples = [];
      for (const replica of this.#replicas) replica.asOf = Number.NEGATIVE_INFINITY;
    }
    this.#timeline = state.timeline;
    this.#samples.push({ at: state.at, position: withoutHeader(state.position) });
    if (this.#samples.length > maxSamples) this.#samples.shift();
  }

  readonly #states = new WeakMap<ReadReplica, State>();

  async #probeReplica(replica: ReadReplica): Promise<void> {
    const state = await replica.probe.ask();
    replica.isUnavailable = state === null;
    if (state === null || state === "full") return;
    replica.isStandby = state.position !== null;
    this.#states.set(replica, state);
  }

  /** Everything replayed at the last probe is still there. */
  #rate(replica: ReadReplica): void {
    const { position = null, timeline = null } = this.#states.get(replica) ?? {};
    if (position === null || (timeline !== null && timeline !== this.#timeline)) return;
    const reached = this.#samples.findLast((sample) => sample.position <= position);
    if (reached === undefined || reached.at <= replica.asOf) return;
    replica.asOf = reached.at;
    replica.reached = Math.max(replica.reached, reached.at);
  }
}

/** When keys were last changed, by `performance.now()`. Of the oldest it only remembers that they are not later than others. */
export class ChangeTimes {
  readonly #times = new Map<string, number>();
  #floor = Number.NEGATIVE_INFINITY;

  /** This key has changed. */
  mark(key: string): void {
    if (this.#times.size >= maxChanges) this.markAll();
    this.#times.set(key, performance.now());
  }

  /** Any key may have changed. */
  markAll(): void {
    this.#times.clear();
    this.#floor = performance.now();
  }

  /** When the key may last have changed */
  of(key: string): number {
    return this.#times.get(key) ?? this.#floor;
  }

  /** When the key is known to have changed */
  known(key: string): number {
    return this.#times.get(key) ?? Number.NEGATIVE_INFINITY;
  }
}
