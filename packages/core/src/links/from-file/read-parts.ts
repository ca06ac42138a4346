import type { ImportedRow, ReadOutcome, ReadPart, ReadTask } from "./imports.types.ts";
import { readFile } from "./read-file.ts";

/** Reads a file into the parts of a job. */
export function readParts({ content, maxRows, rowsPerPart, ...options }: ReadTask): ReadOutcome {
  const file = readFile(content, options);
  if ("refusal" in file) return { refusal: file.refusal };
  if (file.total > maxRows)
    return { refusal: `has ${file.total} links; the plan allows ${maxRows} in one import` };
  const parts: ReadPart[] = [];
  let refused = 0;
  let rows: ImportedRow[] = [];
  const close = () => {
    if (rows.length > 0) parts.push({ size: rows.length, items: JSON.stringify(rows) });
    rows = [];
  };
  for (const { row, link, past, refusal } of file.rows()) {
    rows.push(refusal === undefined ? [row, link, past] : [row, link, past, refusal]);
    if (refusal !== undefined) refused += 1;
    if (rows.length === rowsPerPart) close();
  }
  close();
  return { parts, notTaken: file.notTaken, refused };
}
