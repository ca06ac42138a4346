/** How exported clicks are written. What many rows share is written once, as a fragment. */

export const formats = ["csv", "json"] as const;
export type Format = (typeof formats)[number];

export type Cell = readonly [name: string, text: string];

export interface Writer {
  content_type: string;
  /** Before the first row, between two rows, and after the last */
  head: string;
  between: string;
  tail: string;
  /** Some cells that stand beside each other */
  fragment(cells: readonly Cell[]): string;
  row(timestamp: string, fragments: string, unique: boolean): string;
}

/** Columns in their order; those between the first and the last come as fragments. */
export const columns = {
  click: ["timestamp"],
  link: ["link_id", "slug", "domain", "destination"],
  client: ["country", "device", "browser", "os"],
  referrer: ["referrer"],
  visitor: ["unique"],
} as const;

export const writers: Record<Format, Writer> = {
  // RFC 4180
  csv: {
    content_type: "text/csv; charset=utf-8",
    head: `${Object.values(columns).flat().join()}\r\n`,
    between: "",
    tail: "",
    fragment: (cells) => cells.map(([, text]) => csvCell(text)).join(),
    row: (timestamp, fragments, unique) => `${timestamp},${fragments},${unique}\r\n`,
  },
  json: {
    content_type: "application/json; charset=utf-8",
    head: "[",
    between: ",\n",
    tail: "]\n",
    fragment: (cells) => JSON.stringify(Object.fromEntries(cells)).slice(1, -1),
    row: (timestamp, fragments, unique) => `{"timestamp":"${timestamp}",${fragments},"unique":${unique}}`,
  },
};

/** Quoted where RFC 4180 asks for it; a spreadsheet takes what it would run as a formula for text (OWASP, CSV Injection). */
function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
