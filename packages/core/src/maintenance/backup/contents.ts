import type { TableProof, TableShape } from "./manifest.ts";

/** What a service consists of, in a database that runs or in a file. */
export interface Contents {
  /** The migrations that made its tables, in their order */
  migrations: readonly string[];
  tables: readonly TableShape[];
  /** Yields each table with its rows, in the text format of COPY. The rows must be read before the next table. */
  rows(): AsyncIterable<{ table: TableShape; rows: AsyncIterable<Buffer> }>;
  /** What the tables are equal to when they were copied */
  proof(): Promise<Proof>;
  /** Yields what is in the click log and not counted in the tables; after `rows`. */
  segments(): AsyncIterable<SegmentContent>;
}

export interface Proof {
  /** By the name of the table */
  tables: ReadonlyMap<string, TableProof>;
  /** The last value of each sequence */
  sequences: Readonly<Record<string, string>>;
  /** The sum of the links' `click_count`, in decimal */
  clickCount: string;
}

/** The whole frames of a segment that are not counted. */
export interface SegmentContent {
  id: string;
  /** Offset of the first byte in the segment's file */
  from: number;
  clicks: number;
  bytes: Buffer;
}

/** How far a copy is. */
export interface CopyProgress {
  /** What is being copied or compared */
  step: string;
  /** Bytes of its rows so far */
  bytes: number;
}
export type OnProgress = (progress: CopyProgress) => void;

/** Passes rows on, and reports after each piece how far they are copied. */
export async function* withProgress(
  rows: AsyncIterable<Buffer>,
  step: string,
  onProgress: OnProgress,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const piece of rows) {
    bytes += piece.length;
    onProgress({ step, bytes });
    yield piece;
  }
}
