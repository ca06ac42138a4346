import { type FileHandle, open } from "node:fs/promises";
import { framesIn, ifMissing, listSegments } from "../clicks/index.ts";
import type { Database } from "../db/statements.ts";
import type { SegmentContent } from "./contents.ts";

/** What was in a segment, and not counted, when it was opened. */
export interface OpenPart {
  read(): Promise<SegmentContent>;
  close(): Promise<void>;
}

/**
 * Opens what is in the click log and not counted in the snapshot of `database`. Call it while counting waits: the files stay
 * readable when they are counted and deleted later, and what is appended later is left out.
 */
export async function openClickLogParts(database: Database, folder: string): Promise<OpenPart[]> {
  const segments = await listSegments(folder);
  const { rows } = await database.query<{ id: string; position: string }>(
    "select id, position from click_segments where id = any($1)",
    [segments.map(({ id }) => id)],
  );
  const positions = new Map(rows.map(({ id, position }) => [id, Number(position)]));
  const parts: OpenPart[] = [];
  try {
    for (const { id, path, bytes } of segments) {
      // A file that is gone was renamed, because all of it is counted.
      const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
      if (file) parts.push(partOf(file, { id, from: positions.get(id) ?? 0, to: bytes }));
    }
  } catch (error) {
    await Promise.all(parts.map((part) => part.close()));
    throw error;
  }
  return parts;
}

function partOf(file: FileHandle, { id, from, to }: { id: string; from: number; to: number }): OpenPart {
  return {
    async read() {
      const bytes = await readRange(file, from, to);
      // A writer may have been in the middle of its last frame, whose clicks were not answered yet.
      const { clicks, end } = framesIn(bytes, from);
      return { id, from, clicks, bytes: bytes.subarray(0, end) };
    },
    close: () => file.close(),
  };
}

async function readRange(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
