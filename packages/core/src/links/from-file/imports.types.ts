import type { Past, Sent } from "./link-of.ts";
import type { FileOptions } from "./read-file.ts";

/** A row of a file: its number, the link in it, its past, and why the reader refuses it. */
export type ImportedRow = readonly [row: number, link: Sent, past?: Past, refusal?: string];

/** What the thread that reads a file is told. */
export interface ReadTask extends FileOptions {
  content: string;
  maxRows: number;
  rowsPerPart: number;
}

/** The same thread is told a text that may be an object with the fields of an import. */
export interface UnwrapTask {
  wrapped: string;
}

/** Rows of a job's part, as JSON of `ImportedRow[]`. */
export interface ReadPart {
  size: number;
  items: string;
}

/** What is in a file, and what of it is not taken over. */
export interface ReadParts {
  parts: readonly ReadPart[];
  notTaken: readonly string[];
  /** How many rows the reader refuses */
  refused: number;
}

export type ReadOutcome = ReadParts | { refusal: string };
