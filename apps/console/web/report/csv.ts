import { csvCell } from "@terse/core/browser";

/** A table as CSV, with the names of its columns first. */
export const csvOf = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [columns, ...rows].map((row) => `${row.map((cell) => csvCell(String(cell))).join()}\r\n`).join("");
