import { ApiError } from "@terse/client";
import { printable, sentenceOf } from "@terse/core/browser";

export type Style = "bold" | "dim" | "green" | "red" | "cyan";
const codes: Record<Style, number> = { bold: 1, dim: 2, red: 31, green: 32, cyan: 36 };

/** Where a command writes to: the result goes to standard output, everything else to standard error. */
export interface Terminal {
  /** One JSON document, or one per line, instead of text */
  isJson: boolean;
  /** Standard output is a terminal, not a pipe or a file */
  isTerminal: boolean;
  hasColors: boolean;
  /** In characters */
  width: number;
  style(style: Style, text: string): string;
  /** Writes a line of a result. Characters of the service's data that could rewrite the terminal are escaped. */
  print(line: string): void;
  /** Writes a line that may have colours; its data must have been made `safe`. */
  draw(line: string): void;
  json(data: unknown): void;
  /** Writes the members of an array one by one; `end` completes it. */
  jsonArray(): { add(data: unknown): void; end(): void };
  /** Tells a person something that is not a result. */
  note(line: string): void;
  /** Shows how far something is, on a terminal only; null removes it. */
  progress(line: string | null): void;
}

/** One line without characters that could rewrite or reorder what a terminal shows. */
export const safe = (text: string): string => printable(text.replaceAll(/[\t\r\n]+/g, " "));

export function createTerminal(env: NodeJS.ProcessEnv, isJson: boolean): Terminal {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY;
  // https://no-color.org and https://force-color.org
  const hasColors = env["FORCE_COLOR"] ? true : isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const write = (line: string) => stdout.write(`${line}\n`);
  return {
    isJson,
    isTerminal,
    hasColors,
    // Zero where a program opened the terminal without a size.
    width: stdout.columns || 80,
    style: (style, text) => (hasColors ? `\u001B[${codes[style]}m${text}\u001B[0m` : text),
    print: (line) => write(printable(line)),
    draw: write,
    json: (data) => write(printable(JSON.stringify(data, null, isTerminal ? 2 : undefined))),
    jsonArray() {
      let before = "[";
      return {
        add(data) {
          stdout.write(`${before}${printable(JSON.stringify(data, null, isTerminal ? 2 : undefined))}`);
          before = ",\n";
        },
        end: () => write(before === "[" ? "[]" : "]"),
      };
    },
    note: (line) => stderr.write(`${printable(line)}\n`),
    progress(line) {
      if (stderr.isTTY) stderr.write(`\r\u001B[K${line === null ? "" : printable(line)}`);
    },
  };
}

/**
 * Prints results as they come: as lines of text or, for `--json`, as the members of an array, which is complete also if `run` fails.
 * Without `isList` there is one result, which is no array.
 */
export async function printEach(
  terminal: Terminal,
  isList: boolean,
  run: (print: (data: unknown, line: string) => void) => Promise<void>,
): Promise<void> {
  const array = terminal.isJson && isList ? terminal.jsonArray() : null;
  try {
    await run((data, line) => {
      if (array) array.add(data);
      else if (terminal.isJson) terminal.json(data);
      else terminal.print(line);
    });
  } finally {
    array?.end();
  }
}

/** The problems, a line each: the error's sentence, and further issues of a refused call. */
export const linesOf = (error: Error): string[] => [
  error.message,
  ...(error instanceof ApiError ? error.issues.slice(1).map(sentenceOf) : []),
];

/** Cuts a text to a width, and says so with an ellipsis. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** Rows in columns for a terminal; with tabs between cells for other programs. */
export function table(
  terminal: Terminal,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const cells = rows.map((row) => row.map(safe));
  if (!terminal.isTerminal) {
    for (const row of cells) terminal.draw(row.join("\t"));
    return;
  }
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    cut(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
      terminal.width,
    );
  terminal.draw(terminal.style("dim", lineOf(head)));
  for (const row of cells) terminal.draw(lineOf(row));
}
