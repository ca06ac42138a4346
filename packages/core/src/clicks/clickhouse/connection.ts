import { addAbortSignal, Readable } from "node:stream";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";

/** Milliseconds */
export interface Limits {
  /** After which ClickHouse gives up a query and reports it */
  questionMs: number;
  /** After which we stop waiting. Longer, so that a busy server can report that it gave up. */
  waitMs: number;
}

const defaultLimits: Limits = { questionMs: 10_000, waitMs: 15_000 };
/** Milliseconds in which ClickHouse has to store or delete something */
const changeMs = 60_000;

/** Conditions on tags and hosts may name all links of an account, with 37 characters each. */
const maxQueryBytes = 256 * 1024 * 1024;

/** Every query is answered like this. */
const readSettings = {
  output_format_json_quote_64bit_integers: 1,
  max_query_size: String(maxQueryBytes),
} as const;

/**
 * The operations that Terse needs from ClickHouse. Statements consist of numbers, UUIDs and fixed names only, never
 * of texts from outside.
 */
export interface ClickHouseConnection {
  /** Runs a query; numbers of 64 bits are texts. */
  rows<Row extends readonly unknown[]>(query: string): Promise<Row[]>;
  /** The same in portions, as they arrive. */
  portions<Row extends readonly unknown[]>(query: string): AsyncGenerator<Row[], void>;
  /** Stores lines of tab-separated values. Those with a token that is known already are dropped. */
  insert(table: string, columns: readonly string[], lines: string, token?: string): Promise<void>;
  /** Runs a statement that changes something, and waits for its end on all replicas. */
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Prepares connections to the server and database of a URL. The client is loaded when it is first needed. */
export function openClickHouse(
  url: string,
  { questionMs, waitMs }: Limits = defaultLimits,
): ClickHouseConnection {
  let loading: Promise<ClickHouseClient> | undefined;
  const client = () => (loading ??= load(url));
  const ask = async (text: string, settings: ClickHouseSettings, signal?: AbortSignal) => {
    const result = await (await client()).query({
      query: text,
      format: "JSONCompactEachRow",
      clickhouse_settings: { ...readSettings, ...settings },
      ...(signal && { abort_signal: signal }),
    });
    // The client ends a request by its signal only until the answer begins.
    return signal ? addAbortSignal(signal, result.stream()) : result.stream();
  };

  return {
    rows: <Row>(text: string) =>
      within(waitMs, async (signal) => {
        const all: Row[] = [];
        for await (const rows of await ask(text, { max_execution_time: questionMs / 1000 }, signal))
          for (const row of rows) all.push(row.json<Row>());
        return all;
      }),
    async *portions<Row>(text: string) {
      try {
        for await (const rows of await ask(text, {})) yield rows.map((row) => row.json<Row>());
      } catch (error) {
        throw new ClickHouseFailure((error as Error).message, { cause: error });
      }
    },
    insert: (table, columns, lines, token) =>
      within(changeMs, async (signal) => {
        await (await client()).insert({
          table,
          columns: columns as [string, ...string[]],
          values: Readable.from([Buffer.from(lines)], { objectMode: false }),
          format: "TabSeparated",
          clickhouse_settings: {
            async_insert: 0,
            insert_deduplicate: 1,
            ...(token !== undefined && { insert_deduplication_token: token }),
          },
          abort_signal: signal,
        });
      }),
    run: (statement) =>
      within(changeMs, async (signal) => {
        await (await client()).command({
          query: statement,
          clickhouse_settings: { mutations_sync: "2", alter_sync: "2" },
          abort_signal: signal,
        });
      }),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}

async function load(url: string): Promise<ClickHouseClient> {
  const { createClient } = await import("@clickhouse/client");
  return createClient({
    url,
    application: "terse",
    request_timeout: changeMs,
    log: { level: 127 },
    compression: { request: true, response: true },
  });
}

/** ClickHouse did not answer, or answered with an error. */
export class ClickHouseFailure extends Error {
  /** ClickHouse's number of the error, or the system's name; null if there is none */
  readonly code: string | null;
  /** Whether it takes too long or too much memory: asking again does not help */
  readonly isTooMuch: boolean;

  constructor(message: string, { cause, isLate = false }: { cause?: unknown; isLate?: boolean } = {}) {
    super(message, { cause });
    const { code } = (cause ?? {}) as { code?: unknown };
    this.code = typeof code === "string" ? code : null;
    this.isTooMuch = isLate || tooMuch.has(this.code ?? "");
  }
}

/** TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED */
const tooMuch = new Set(["159", "241"]);

/** The client's errors do not show that its signal ended a request. */
async function within<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    return await work(signal);
  } catch (error) {
    const isLate = signal.aborted;
    const message = isLate
      ? `ClickHouse did not finish within ${limitMs / 1000} seconds`
      : (error as Error).message;
    throw new ClickHouseFailure(message, { cause: error, isLate });
  }
}

/** Returns the problem with the URL of a ClickHouse server and its database, or null. */
export function clickHouseUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return "must be the http or https URL of a ClickHouse server";
  if (!/^\/[A-Za-z_]\w{0,63}$/.test(url.pathname))
    return "must end with the name of a database, such as /terse";
  return /[?#\s]/.test(text) ? "must have no parameters" : null;
}
