import { csvCell } from "../kernel/csv.ts";

/** Formats of exported clicks. Cells that many rows share are formatted once, as a fragment. */

export const formats = ["csv", "json", "parquet"] as const;
export type TextFormat = Exclude<(typeof formats)[number], "parquet">;

export type Cell = readonly [name: string, text: string];

export interface Writer {
  content_type: string;
  /** Before the first row */
  head(columns: readonly string[]): string;
  /** Between two rows, and after the last */
  between: string;
  tail: string;
  /** Cells that are next to each other */
  fragment(cells: readonly Cell[]): string;
  row(timestamp: string, fragments: string, unique: boolean, last: string): string;
}

export const writers: Record<TextFormat, Writer> = {
  // RFC 4180
  csv: {
    content_type: "text/csv; charset=utf-8",
    head: (columns) => `${columns.join()}\r\n`,
    between: "",
    tail: "",
    fragment: (cells) => cells.map(([, text]) => csvCell(text)).join(),
    row: (timestamp, fragments, unique, last) => `${timestamp},${fragments},${unique},${last}\r\n`,
  },
  json: {
    content_type: "application/json; charset=utf-8",
    head: () => "[",
    between: ",\n",
    tail: "]\n",
    fragment: (cells) => JSON.stringify(Object.fromEntries(cells)).slice(1, -1),
    row: (timestamp, fragments, unique, last) =>
      `{"timestamp":"${timestamp}",${fragments},"unique":${unique},${last}}`,
  },
};
