import { z } from "zod";
import { refusal } from "../../kernel/errors.ts";
import { migrations } from "../../schema/migrations/migrations.ts";

/** The format that this version writes, and the newest that it reads. */
export const backupFormat = 1;

const count = z.number().int().nonnegative();
/** Names of tables, sequences and columns become part of statements. */
const sqlName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const digest = z.object({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const checksum = z.object({ rows: count, checksum: z.string().regex(/^-?\d+$/) });

/** The first member of a backup, `about.json`. */
export const aboutSchema = z.object({
  format: count,
  /** Version of the program that made it */
  program: z.string(),
  created_at: z.iso.datetime(),
});

const shape = z.object({
  name: sqlName,
  /** The table that it is a part of */
  parent: sqlName.nullable(),
  columns: z.array(sqlName).min(1),
});

const segment = z.object({
  id: z.string().regex(/^[0-9a-f-]{1,120}$/),
  /** Bytes before it were counted in the database of the backup, and are not in the file */
  from: count,
  clicks: count,
});

/** The last member, `manifest.json`: what the file contains, with its checksums. */
export const manifestSchema = aboutSchema.extend({
  /** The migrations of its database, in their order */
  migrations: z.array(z.string()).min(1),
  /** Settings without which keys and addresses in it mean something else */
  settings: z.record(z.string(), z.string()),
  tables: z.array(shape.extend(checksum.shape).extend(digest.shape)),
  sequences: z.record(sqlName, z.string().regex(/^\d+$/)),
  /** The sum of the links' `click_count`, in decimal */
  click_count: z.string().regex(/^\d+$/),
  segments: z.array(segment.extend(digest.shape)),
});

export type About = z.infer<typeof aboutSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
/** A table and its columns, in the order of the copied rows. */
export type TableShape = z.infer<typeof shape>;
/** The number of a table's rows, and a sum over all of them that does not depend on their order. */
export type TableChecksum = z.infer<typeof checksum>;
/** A part of the click log. */
export type SegmentPart = z.infer<typeof segment>;
/** Length and hash of a content. */
export type Digest = z.infer<typeof digest>;

/** @throws {AppError} if contents with these migrations are of a version that this one does not know */
export function requireKnown(names: readonly string[]): void {
  const known = migrations.map(({ name }) => name);
  if (names[0] !== known[0]) {
    throw refusal(
      "UNPROCESSABLE_CONTENT",
      "",
      "invalid_file",
      "The backup is of a development version, before the first release, and only that version can restore it: export the links there, and import them here",
      { reason: "development_version" },
    );
  }
  const newer = names.findLast((name) => !known.includes(name));
  if (newer === undefined) return;
  throw refusal(
    "UNPROCESSABLE_CONTENT",
    "",
    "invalid_file",
    `The backup is of a newer version, with the migration ${newer}: restore it with that version or a later one`,
    { reason: "newer_version", migration: newer },
  );
}

/** The contents of a service, in a running database or in a file. */
export interface Contents {
  /** The migrations that made its tables, in their order */
  migrations: readonly string[];
  tables: readonly TableShape[];
  /** Yields each table with its rows, in the text format of COPY. The rows must be read before the next table. */
  rows(): AsyncIterable<{ table: TableShape; rows: AsyncIterable<Buffer> }>;
  /** The summary that copied tables must equal */
  checksums(): Promise<Checksums>;
  /** Yields the parts of the click log that the tables do not count; after `rows`. */
  segments(): AsyncIterable<SegmentContent>;
}

export interface Checksums {
  /** By the name of the table */
  tables: ReadonlyMap<string, TableChecksum>;
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

/** Is notified of progress: what is being copied or compared, and the bytes of its rows so far. */
export type OnProgress = (progress: { step: string; bytes: number }) => void;

/** Passes rows on, and reports progress after each piece. */
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
