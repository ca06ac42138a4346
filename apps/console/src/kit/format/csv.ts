import { byteOrderMark, csvRow } from "@terse/importers/csv";

/** Rows as CSV, which no spreadsheet runs as formulas. */
export const csvOf = (rows: readonly Parameters<typeof csvRow>[0][]): string => rows.map(csvRow).join("");

/** Lets the browser save CSV as a file, with the mark by which spreadsheets know its encoding. */
export function saveCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([byteOrderMark, csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
