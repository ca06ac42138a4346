import { byteOrderMark, csvRow } from "@terse/importers/csv";
import { saveFile } from "../save-file.ts";

/** Rows as CSV, which no spreadsheet runs as formulas. */
export const csvOf = (rows: readonly Parameters<typeof csvRow>[0][]): string => rows.map(csvRow).join("");

/** Lets the browser save CSV as a file, with the mark by which spreadsheets know its encoding. */
export const saveCsv = (name: string, csv: string): void =>
  saveFile(name, [byteOrderMark, csv], "text/csv;charset=utf-8");
