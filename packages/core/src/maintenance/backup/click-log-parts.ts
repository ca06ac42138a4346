import { type FileHandle, open } from "node:fs/promises";
import { type Counted, nothingCounted, positionsOf, uncountedIn } from "../../clicks/drain/positions.ts";
import { ifMissing, listSegments, readFrom } from "../../clicks/log/segments.ts";
import type { Database } from "../../db/statements.ts";
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
  const positions = await positionsOf(
    database,
    segments.map(({ id }) => id),
  );
  const parts: OpenPart[] = [];
  try {
    for (const { id, path, bytes } of segments) {
      // A file that is gone was renamed, because all of it is counted.
      const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
      if (file) parts.push(partOf(file, { id, counted: positions.get(id) ?? nothingCounted, to: bytes }));
    }
  } catch (error) {
    await Promise.all(parts.map((part) => part.close()));
    throw error;
  }
  return parts;
}

function partOf(
  file: FileHandle,
  { id, counted, to }: { id: string; counted: Counted; to: number },
): OpenPart {
  const { from } = counted;
  return {
    async read() {
      const bytes = await readFrom(file, Buffer.alloc(Math.max(0, to - from)), from);
      // A writer may have been in the middle of its last frame, whose clicks were not answered yet.
      const { clicks, end } = uncountedIn(bytes, counted);
      return { id, from, clicks, bytes: bytes.subarray(0, end) };
    },
    close: () => file.close(),
  };
}
