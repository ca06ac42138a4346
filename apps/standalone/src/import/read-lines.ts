import { blankLine, type Line } from "./line.ts";
import { isHeader, readCsv } from "./read-csv.ts";
import { maxLineLength, peekLine, readText } from "./read-text.ts";

/**
 * Reads the rows of a list of URLs, or of CSV if the first line is a header. Streams, whatever the length.
 * @throws {UserError} if the stream is not UTF-8 or the header is invalid
 */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const { line, text } = await peekLine(readText(bytes));
  yield* isHeader(line) ? readCsv(text) : readList(text);
}

/** Reads a list of URLs, one per line. */
async function* readList(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 0;
  let rest = "";
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const url of lines) yield* toLine(++line, url);
    if (rest.length <= maxLineLength) continue;
    const fault = "the line is too long to be a URL; the rest of the file was not read";
    yield { ...blankLine(line + 1), fault };
    return;
  }
  yield* toLine(line + 1, rest);
}

function* toLine(line: number, text: string): Generator<Line> {
  const url = text.trim();
  if (url !== "") yield { ...blankLine(line), url };
}
