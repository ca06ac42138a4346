import type { Line } from "./line.ts";
import { isHeader, readCsv } from "./read-csv.ts";
import { readList } from "./read-list.ts";
import { peekLine, readText } from "./read-text.ts";

/**
 * The rows of a list of URLs, or of CSV where the first line is a header. Reads as it goes, whatever the length.
 * @throws {UserError} where the stream is not UTF-8 or the header is of no use
 */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const { line, text } = await peekLine(readText(bytes));
  yield* isHeader(line) ? readCsv(text) : readList(text);
}
