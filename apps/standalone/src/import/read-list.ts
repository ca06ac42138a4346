import { blankLine, type Line } from "./line.ts";
import { longestLine } from "./read-text.ts";

/** The rows of a list of URLs, one a line. */
export async function* readList(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 0;
  let rest = "";
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const url of lines) yield* row(++line, url);
    if (rest.length <= longestLine) continue;
    yield { ...blankLine(line + 1), fault: "the line is too long to be a URL; nothing after it was read" };
    return;
  }
  yield* row(line + 1, rest);
}

function* row(line: number, text: string): Generator<Line> {
  const url = text.trim();
  if (url !== "") yield { ...blankLine(line), url };
}
