import {
  excessOfJson,
  type FileOptions,
  type ImportedTotals,
  readFile,
  type SentLink,
} from "@terse/importers";

/** A row of a file: its number, its link, its imported total, and why the reader refuses it. */
export type ImportedRow = readonly [row: number, link: SentLink, totals?: ImportedTotals, refusal?: string];

/** The task of the thread that reads a file. */
export interface ReadTask extends FileOptions {
  content: string;
  maxRows: number;
  rowsPerPart: number;
}

/** Another task of that thread: a text that may be an object with the fields of an import. */
export interface UnwrapTask {
  wrapped: string;
}

/** Rows of a job's part, as JSON of `ImportedRow[]`. */
export interface ReadPart {
  size: number;
  items: string;
}

/** The contents of a file, and the columns that are ignored. */
export interface ReadParts {
  parts: readonly ReadPart[];
  notTaken: readonly string[];
  /** How many rows the reader refuses */
  refused: number;
}

/** The parts; or why it is refused; or how many links it has, if these are too many. */
export type ReadOutcome = ReadParts | { refusal: string } | { total: number };

/** Reads a file into the parts of a job. */
export function readParts({ content, maxRows, rowsPerPart, ...options }: ReadTask): ReadOutcome {
  const file = readFile(content, options);
  if ("refusal" in file) return { refusal: file.refusal };
  if (file.total > maxRows) return { total: file.total };
  const parts: ReadPart[] = [];
  let refused = 0;
  let rows: ImportedRow[] = [];
  const close = () => {
    if (rows.length > 0) parts.push({ size: rows.length, items: JSON.stringify(rows) });
    rows = [];
  };
  for (const { row, link, totals, refusal } of file.rows()) {
    rows.push(refusal === undefined ? [row, link, totals] : [row, link, totals, refusal]);
    if (refusal !== undefined) refused += 1;
    if (rows.length === rowsPerPart) close();
  }
  close();
  return { parts, notTaken: file.notTaken, refused };
}

/** The fields of `{"content": "…", "source": …}`; null if the text is something else; or why it is refused. */
export type Unwrapped = { fields: object | null } | { refusal: string };

/** Characters that the fields beside the content may have */
const maxFieldsLength = 64 * 1024;

/** Whether a text begins like a JSON object with the fields of an import, and not like a file. */
export const looksWrapped = (text: string): boolean =>
  /^\s*\{\s*"(content|source|domain|columns|dry_run)"/.test(text);

/** Reads such an object, in time proportional to its length. */
export function unwrap(text: string): Unwrapped {
  const excess = excessOfJson(text);
  if (excess !== null) return { refusal: excess };
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { fields: null };
  }
  if (typeof sent !== "object" || sent === null || !("content" in sent)) return { fields: null };
  const { content, ...fields } = sent;
  if (JSON.stringify(fields).length > maxFieldsLength)
    return { refusal: `its other fields have more than ${maxFieldsLength} characters` };
  return { fields: { ...fields, content: typeof content === "string" ? content : null } };
}
