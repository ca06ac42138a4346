import { Readable } from "node:stream";
import type { ClickHouseClient } from "@clickhouse/client";

/** Milliseconds in which ClickHouse has to answer a question, and to store or delete something. */
const questionMs = 10_000;
const changeMs = 60_000;

/** Conditions on tags and hosts may name all links of an account, with 37 characters each. */
const maxQueryBytes = 256 * 1024 * 1024;

/** Every query is answered like this. */
const readSettings = {
  output_format_json_quote_64bit_integers: 1,
  max_query_size: String(maxQueryBytes),
} as const;

/** What Terse asks of ClickHouse. Statements consist of numbers, UUIDs and fixed names only, never of texts from outside. */
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
export function openClickHouse(url: string): ClickHouseConnection {
  let loading: Promise<ClickHouseClient> | undefined;
  const client = () => (loading ??= load(url));

  async function query(text: string) {
    return (await client()).query({
      query: text,
      format: "JSONCompactEachRow",
      clickhouse_settings: { ...readSettings, max_execution_time: questionMs / 1000 },
      abort_signal: AbortSignal.timeout(questionMs),
    });
  }

  return {
    rows: <Row>(text: string) => failing(async () => (await query(text)).json<Row>()),
    async *portions<Row>(text: string) {
      const result = await (await client()).query({
        query: text,
        format: "JSONCompactEachRow",
        clickhouse_settings: readSettings,
      });
      for await (const rows of result.stream()) yield rows.map((row) => row.json<Row>());
    },
    insert: (table, columns, lines, token) =>
      failing(async () => {
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
          abort_signal: AbortSignal.timeout(changeMs),
        });
      }),
    run: (statement) =>
      failing(async () => {
        await (await client()).command({
          query: statement,
          clickhouse_settings: { mutations_sync: "2", alter_sync: "2" },
          abort_signal: AbortSignal.timeout(changeMs),
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

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
    this.code = typeof code === "string" ? code : null;
    this.isTooMuch = name === "TimeoutError" || tooMuch.has(this.code ?? "");
  }
}

/** TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED */
const tooMuch = new Set(["159", "241"]);

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ClickHouseFailure((error as Error).message, error);
  }
}
