import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { parseDatabaseUrl, placeOf } from "./database-url.ts";
import { isDatabaseUnavailable, NoPrimaryError } from "./errors.ts";
import { reasonOf } from "../kernel/errors.ts";
import { waitAtMost } from "../kernel/async/waiting.ts";

/** How long a search waits for a host that does not answer. */
const probeMs = 1000;
/** A statement that takes longer makes us ask all hosts which one is the primary. */
const slowMs = 1000;
/** Pause before a host that is not a primary is asked again, while another one has not answered yet. */
const repeatMs = 100;
/** How long a search waits for further hosts after one said that it is the primary. */
const raceMs = 100;

/** A server of a database URL with several. */
export interface Host {
  /** As people write it, such as db1.internal:5432 */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The URL of this host alone */
  readonly url: string;
}

/** A connection that knows its server, and can be ended when the database is elsewhere. */
export interface HostConnection {
  readonly at: Host | null;
  /** When the statement that runs began, by `performance.now()`; null between statements */
  readonly busySince: number | null;
  /** Ends the connection, also in the middle of a statement, which fails with the reason. */
  abandon(reason: string): void;
}

/** Whether a server takes changes; a standby does not, nor does one that an administrator made read-only. */
export const stateQuery =
  "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is_primary";

/**
 * The hosts of a database URL, of which one is the primary. All connections of a process share what is known about
 * them, so that only one of them searches after a failover.
 */
export class Hosts {
  readonly #hosts: readonly Host[];
  readonly #connections = new Set<HostConnection>();
  readonly #listeners = new Set<(host: string) => void>();
  #primary: Host | null = null;
  /** The last one that was found; stays while it is suspect */
  #last: Host | null = null;
  /** Of the last primary: the number of its promotion, eight hexadecimal digits; "" if no server told it */
  #timeline = "";
  #search: Promise<Host> | null = null;
  #watch: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(urls: readonly string[]) {
    this.#hosts = urls.map((url) => {
      const { host, port } = new pg.Client({ connectionString: url });
      return { name: placeOf(url), host, port, url };
    });
  }

  /** Calls back when the primary is another host than before. Returns a function that ends this. */
  onMove(listener: (host: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The primary as last seen, else as found by asking all hosts. Throws if there is none now. */
  async find(): Promise<Host> {
    return this.#primary ?? this.#searchOnce();
  }

  #searchOnce(): Promise<Host> {
    this.#search ??= this.#searchAll().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** A connection to this host failed, or it takes no changes: the next connection searches. */
  markSuspect(host: Host): void {
    if (this.#primary === host) this.#primary = null;
  }

  add(connection: HostConnection): void {
    this.#connections.add(connection);
    this.#watch ??= setInterval(() => void this.#checkSlow(), slowMs / 2).unref();
  }

  remove(connection: HostConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /**
   * A server that is paused, or cut off by the network, ends no connection. A replaced one may still answer, and
   * makes changes wait for standbys that follow its successor. So all hosts are asked if a statement does not end.
   */
  async #checkSlow(): Promise<void> {
    const limit = performance.now() - slowMs;
    const slow = [...this.#connections].find(({ busySince }) => busySince !== null && busySince < limit);
    if (this.#isChecking || !slow?.at) return;
    this.#isChecking = true;
    // Until then, the known primary stays.
    await this.#searchOnce().catch(() => {
      this.#primary = null;
    });
    this.#isChecking = false;
  }

  async #searchAll(): Promise<Host> {
    const answers = new Map<Host, Answer>();
    const found: Primary[] = [];
    const first = Promise.withResolvers<void>();
    const all = Promise.withResolvers<void>();
    let isOver = false;
    // A standby is asked again until all hosts have answered: it may be promoted while a dead one lets us wait. So is a server
    // that was replaced: it will find out, and what it takes until then is lost.
    const watch = async (host: Host) => {
      while (!isOver) {
        const answer = await probe(host);
        answers.set(host, answer);
        const isFound = answer instanceof Primary && answer.timeline >= this.#timeline;
        if (isFound) found.push(answer);
        if (isFound) first.resolve();
        if (answers.size === this.#hosts.length) all.resolve();
        if (isFound) return;
        await Promise.race([sleep(repeatMs), all.promise]);
        isOver ||= answers.size === this.#hosts.length;
      }
    };
    for (const host of this.#hosts) void watch(host);
    await Promise.race([first.promise, all.promise]);
    await waitAtMost(raceMs, all.promise);
    isOver = true;
    const newest = found.toSorted((left, right) => (left.timeline < right.timeline ? 1 : -1))[0];
    if (newest === undefined) throw noPrimary(answers);
    this.#timeline = newest.timeline;
    this.#primary = newest.host;
    this.#abandonOthers(newest.host);
    return newest.host;
  }

  /** Other connections talk to a server that was the primary, and may not know yet. */
  #abandonOthers(primary: Host): void {
    for (const connection of this.#connections) {
      if (connection.at !== null && connection.at !== primary)
        connection.abandon(`The database has moved to ${primary.name}`);
    }
    if (this.#last !== null && this.#last !== primary)
      for (const listener of this.#listeners) listener(primary.name);
    this.#last = primary;
  }
}

/** The answer of a server that accepts changes. */
class Primary {
  readonly host: Host;
  readonly timeline: string;

  constructor(host: Host, timeline: string) {
    this.host = host;
    this.timeline = timeline;
  }
}

/** Some servers do not have these functions. */
const timelineQuery = "select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline";

/** Null from a host that accepts no changes; an error if it did not answer */
type Answer = Primary | null | Error;

async function probe(host: Host): Promise<Answer> {
  const client = new pg.Client({
    connectionString: host.url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_primary: boolean }>(stateQuery);
    if (!rows[0]?.is_primary) return null;
    const answer = await client.query<{ timeline: string }>(timelineQuery).catch(() => ({ rows: [] }));
    return new Primary(host, answer.rows[0]?.timeline ?? "");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    void client.end().catch(() => {});
  }
}

/** Why no host is the primary. If every host refuses us, waiting does not help: then the first refusal itself. */
function noPrimary(answers: ReadonlyMap<Host, Answer>): Error {
  const refusals = [...answers.values()].filter(
    (answer) => answer instanceof Error && !isDatabaseUnavailable(answer),
  );
  if (refusals.length === answers.size && refusals[0] instanceof Error) return refusals[0];
  const found = [...answers].map(([{ name }, answer]) => {
    if (answer === null) return `${name} is a standby`;
    return answer instanceof Primary ? `${name} was replaced` : `${name}: ${reasonOf(answer)}`;
  });
  return new NoPrimaryError(`No host of the database URL is the primary (${found.join("; ")})`);
}

const known = new Map<string, Hosts>();

/**
 * The hosts of a database URL, if it names several or has `target_session_attrs`; null for any other URL, whose one host is
 * connected to as it is.
 */
export function hostsOf(databaseUrl: string): Hosts | null {
  const { hosts, target } = parseDatabaseUrl(databaseUrl);
  if (hosts.length < 2 && (target === null || target === "any")) return null;
  const same = known.get(databaseUrl) ?? new Hosts(hosts);
  known.set(databaseUrl, same);
  return same;
}
