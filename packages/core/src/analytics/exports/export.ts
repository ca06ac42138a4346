import { requires } from "../call.ts";
import type { Pool, PoolClient } from "pg";
import * as z from "zod";
import { fieldsOf, oneOf } from "../../kernel/validation/inputs.ts";
import { isDatabaseUnavailable } from "../../db/errors.ts";
import type { Database } from "../../db/statements.ts";
import { bomField, streamedFile, withByteOrderMark } from "../../kernel/validation/files.ts";
import { reading } from "../../rpc/call.ts";
import { type Span, spanOf, windowFields } from "../analytics.input.ts";
import { filterFields, filterNote, filtersOf } from "../filter.input.ts";
import { exportPieces, formats, writers } from "./rows.ts";
import { exportColumns, type ExportQuestion, type FilePosition } from "./cells.ts";
import { withExportSlot } from "../../rpc/export-slot.ts";
import { dateAt, windowsOf } from "../periods/periods.ts";
import { accountScope } from "../question.ts";
import { ParquetFile } from "../parquet/parquet-file.ts";
import { parquetPieces } from "../parquet/parquet-pieces.ts";
import { requireRawClicks, historyIn, sourceOf } from "../questions/source.ts";

const format = oneOf(formats)
  .meta({ description: "csv is RFC 4180; json is an array; parquet is Apache Parquet" })
  .default("csv");

const parquetType = "application/vnd.apache.parquet";

const row = z.object({
  ...Object.fromEntries(exportColumns.map((name) => [name, z.string()])),
  unique: z.boolean().describe("Whether it is the visitor's first click on the link that UTC day"),
});

/** Exports the account's clicks in a window, one row each, oldest first. */
export const exportClicks = requires("export")
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/export",
    tag: "Analytics",
    summary: "Export clicks",
    description: `One row per click, without bots, oldest first: the same clicks that the overview counts for this window and filter. ${filterNote}`,
    successDescription: "The file",
    successContent: {
      "text/csv": z.string(),
      "application/json": z.array(row),
      [parquetType]: z.string().meta({ contentMediaType: parquetType }),
    },
  })
  .input(fieldsOf({ format, bom: bomField, ...windowFields, ...filterFields }).prefault({}))
  .output(streamedFile)
  .query(async ({ ctx, input: { format: name, bom, ...input } }) => {
    const { deps, account } = reading(ctx);
    const now = deps.clock().getTime();
    const filters = filtersOf(input);
    const isFiltered = filters.length > 0;
    const question = { span: spanOf(input), tz: input.tz, granularity: undefined };
    const scope = accountScope(account.id);
    const source = await sourceOf(deps);
    /** Refuses a window of which raw clicks are missing. */
    const readWindow = async (database: Database) => {
      const history = await historyIn(source, database, scope);
      const since = isFiltered && !source.isClickHouseDown ? history.rawSince : null;
      const { window } = windowsOf(question, now, history.first, since);
      if (isFiltered || source.isClickHouseDown) requireRawClicks(window, history, source);
      return window;
    };
    // Refuses before the file begins.
    const { copy } = source;
    const pool = copy?.pool ?? deps.pool;
    if (isFiltered || source.isClickHouseDown) await readWindow(pool);
    else windowsOf(question, now);
    const file = {
      file_name: `terse-clicks-${spanName(question.span, dateAt(now, input.tz))}.${name}`,
      disposition: "attachment" as const,
    };
    const body = (pieces: Pieces) =>
      continuedOnPrimary(pool, ctx.deps.pool, (from, position) =>
        withExportSlot(from, account.id, async function* ({ database }) {
          const window = await readWindow(database);
          yield* pieces(database, { accountId: account.id, window, filters, copy, position });
        }),
      );
    if (name === "parquet")
      return {
        ...file,
        content_type: parquetType,
        encoding: "base64" as const,
        body: withParquetFile((parquet) =>
          body((database, query) => parquetPieces(database, deps.shortHost, parquet, query)),
        ),
      };
    const writer = writers[name];
    const text = body((database, query) => exportPieces(database, deps.shortHost, writer, query));
    return {
      ...file,
      content_type: writer.content_type,
      body: bom && name === "csv" ? withByteOrderMark(text) : text,
    };
  });

type Pieces = (database: PoolClient, query: ExportQuestion) => AsyncGenerator<string, void>;

/** Gives `pieces` a Parquet file, and ends its thread with it. */
async function* withParquetFile(
  pieces: (file: ParquetFile) => AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  const file = new ParquetFile();
  try {
    yield* pieces(file);
  } finally {
    await file.close();
  }
}

/**
 * A replica cancels statements that keep it from following the primary, long exports above all. The primary then
 * continues the file.
 */
async function* continuedOnPrimary(
  pool: Pool,
  primary: Pool,
  pieces: (pool: Pool, position: FilePosition) => AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  const position: FilePosition = { after: null };
  try {
    yield* pieces(pool, position);
  } catch (error) {
    if (pool === primary || !isDatabaseUnavailable(error)) throw error;
    yield* pieces(primary, position);
  }
}

const spanName = (span: Span, today: string) =>
  "period" in span
    ? `${span.period}-${today}`
    : `${span.from.slice(0, 10)}-to-${span.to?.slice(0, 10) ?? today}`;
