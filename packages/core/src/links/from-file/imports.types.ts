import type { Past, Sent } from "./columns.ts";

/** A row of a file: its number, from 1, and the link in it. Jobs of an earlier version have no past. */
export type ImportedRow = readonly [row: number, link: Sent, past?: Past];

/** What the thread that reads a file is told. */
export interface ReadTask {
  content: string;
  /** The service that the file must be from; any if missing */
  source: string | undefined;
  /** Host of the links; the service's own if missing */
  domain: string | undefined;
  maxRows: number;
  rowsPerPart: number;
}

/** Rows of a job's part, as JSON of `ImportedRow[]`. */
export interface ReadPart {
  size: number;
  items: string;
}

/** What is in a file, and the columns that nothing is taken from. */
export interface ReadFile {
  parts: readonly ReadPart[];
  notTaken: readonly string[];
}

export type ReadOutcome = ReadFile | { refusal: string };
