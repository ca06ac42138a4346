import { pipeline, Readable } from "node:stream";
import { type CsvError, type Info, parse } from "csv-parse";
import { UserError } from "@terse/server";
import { blankLine, type Line } from "./line.ts";
import { maxLineLength } from "./read-text.ts";

const columns = ["url", "slug", "title", "domain", "tags"] as const;
type Column = (typeof columns)[number];
type Parsed = { record: string[]; info: Info };

const cellsOf = (cells: readonly string[]) => cells.map((cell) => cell.trim().toLowerCase());

/** Whether the first line of a file is a header: it names at least one column. */
export function isHeader(line: string): boolean {
  const cells = cellsOf(line.split(",").map((cell) => cell.replaceAll('"', "")));
  return columns.some((column) => cells.includes(column));
}

/**
 * Reads the rows of CSV (RFC 4180). Quotes inside unquoted values are literal; missing values at the end are empty.
 * @throws {UserError} if the header is invalid
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let broken: Line | null = null;
  async function* untilBroken() {
    for await (const piece of text) {
      yield piece;
      if (broken) return;
    }
  }
  const parser = parse({
    info: true,
    raw: true,
    record_delimiter: "\n",
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: maxLineLength,
    // An unclosed quote swallows the rest of the file; the rows before it are still imported.
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      const fault = "a quote opens here and is never closed; the rest of the file was not read";
      broken ??= { ...blankLine(startLineOf(error, raw ?? "")), fault };
    },
  });
  // Errors of the source reach the loop below through the parser.
  pipeline(Readable.from(untilBroken()), parser, () => {});

  let header: Column[] | null = null;
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    if (record.every((value) => value === "")) continue;
    if (header) yield toLine(header, record, info.lines - record.join("").split("\n").length + 1);
    else header = readHeader(record);
  }
  if (broken) yield broken;
}

function readHeader(record: readonly string[]): Column[] {
  const names = cellsOf(record);
  const problem = headerProblem(names);
  if (problem === null) return names as Column[];
  throw new UserError(`The header ${problem}: it must name url, and may name slug, title, domain and tags`);
}

function headerProblem(names: readonly string[]): string | null {
  const unknown = names.find((name) => !columns.some((column) => column === name));
  if (unknown !== undefined) return `has the unknown column "${unknown}"`;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `names ${twice} twice`;
  return names.includes("url") ? null : "does not name url";
}

function toLine(header: readonly Column[], record: readonly string[], line: number): Line {
  const row = blankLine(line);
  for (const [at, column] of header.entries()) row[column] = record[at]?.trim() ?? "";
  if (record.length <= header.length) return row;
  const fault = `has ${record.length} values for ${header.length} columns: put a value that contains a comma in double quotes`;
  return { ...row, fault };
}

/** Returns the line where a record starts; the parser only tells where it ended. */
function startLineOf(error: CsvError | undefined, raw: string): number {
  return Number(error?.["lines"] ?? 0) - (raw.replace(/\n$/, "").split("\n").length - 1);
}
