import { open } from "node:fs/promises";
import type { Pool } from "pg";
import type { ClickBacklog } from "../clicks.types.ts";
import {
  fileHeader,
  frameClicks,
  frameHeaderBytes,
  frameTime,
  ifMissing,
  isFrame,
  listSegments,
  nextFrame,
  type Segment,
} from "../log/index.ts";
import { positionsOf } from "./positions.ts";

const maxReadBytes = 16 * 1024 * 1024;
/** A click takes about so much; only for what is not read. */
const usualClickBytes = 160;

/** Measures it from the files and the positions in the database, apart from what the log and the drain say of themselves. */
export async function backlogOf(pool: Pool, folder: string): Promise<ClickBacklog> {
  const backlog: ClickBacklog = { bytes: 0, clicks: 0, oldest: null };
  let readable = maxReadBytes;
  for (const { segment, from, bytes: waiting } of await waitingParts(pool, folder)) {
    const read = await framesOf(segment, from, readable);
    readable -= read.bytes;
    const unread = Math.max(0, waiting - read.bytes);
    backlog.bytes += waiting;
    backlog.clicks += read.clicks + (readable > 0 ? 0 : Math.round(unread / usualClickBytes));
    if (read.oldest !== null && read.oldest < (backlog.oldest ?? Infinity)) backlog.oldest = read.oldest;
  }
  return backlog;
}

/** Bytes of a folder's click log that are not counted yet. */
export async function waitingBytes(pool: Pool, folder: string): Promise<number> {
  const parts = await waitingParts(pool, folder);
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The ends of segments that are not counted, by their offsets and lengths. */
async function waitingParts(
  pool: Pool,
  folder: string,
): Promise<{ segment: Segment; from: number; bytes: number }[]> {
  const segments = await listSegments(folder);
  const positions = await positionsOf(
    pool,
    segments.map(({ id }) => id),
  );
  const parts = segments.map((segment) => {
    const from = Math.max(positions.get(segment.id)?.from ?? 0, fileHeader.length);
    return { segment, from, bytes: segment.bytes - from };
  });
  // The seal, an empty frame, has no clicks.
  return parts.filter(({ bytes }) => bytes > frameHeaderBytes);
}

/** Walks over the frames after an offset, of at most `maxBytes`; it stops at damage. */
async function framesOf(
  { path, bytes: size }: Segment,
  from: number,
  maxBytes: number,
): Promise<ClickBacklog> {
  const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
  if (!file) return { bytes: 0, clicks: 0, oldest: null };
  try {
    // The time of the oldest is always read.
    const length = Math.min(size - from, Math.max(maxBytes, frameHeaderBytes));
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
    let clicks = 0;
    let at = 0;
    while (isFrame(buffer, at, bytesRead)) {
      clicks += frameClicks(buffer, at);
      at = nextFrame(buffer, at);
    }
    const oldest = isFrame(buffer, 0, bytesRead) ? frameTime(buffer, 0) : null;
    return { bytes: Math.min(at, bytesRead), clicks, oldest };
  } finally {
    await file.close();
  }
}
