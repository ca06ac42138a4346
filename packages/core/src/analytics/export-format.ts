import { csvCell } from "@terse/importers/csv";

/** Formats of exported clicks. Cells that many rows share are formatted once, as a fragment. */

export const formats = ["csv", "json", "parquet"] as const;
export type TextFormat = Exclude<(typeof formats)[number], "parquet">;

export type Cell = readonly [name: string, text: string];

/** A row is `begin`, its timestamp, `afterTimestamp`, fragments and `end`: few strings, as files have millions of rows. */
export interface Writer {
  content_type: string;
  /** Before the first row */
  head(columns: readonly string[]): string;
  /** Between two rows, and after the last */
  between: string;
  tail: string;
  begin: string;
  afterTimestamp: string;
  /** Cells that are next to each other, with what separates them from the one before; a string in one piece, as it is copied often */
  fragment(cells: readonly (readonly [name: string, value: string | boolean])[]): string;
  end: string;
}

export const writers: Record<TextFormat, Writer> = {
  // RFC 4180
  csv: {
    content_type: "text/csv; charset=utf-8",
    head: (columns) => `${columns.join()}\r\n`,
    between: "",
    tail: "",
    begin: "",
    afterTimestamp: "",
    fragment: (cells) => ["", ...cells.map(([, value]) => csvCell(String(value)))].join(),
    end: "\r\n",
  },
  json: {
    content_type: "application/json; charset=utf-8",
    head: () => "[",
    between: ",\n",
    tail: "]\n",
    begin: '{"timestamp":"',
    afterTimestamp: '"',
    fragment: (cells) => ["", JSON.stringify(Object.fromEntries(cells)).slice(1, -1)].join(),
    end: "}",
  },
};
