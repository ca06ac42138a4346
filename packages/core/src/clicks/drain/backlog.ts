import { open, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { ClickBacklog } from "../clicks.types.ts";
import { fileHeader, frameClicks, frameHeaderBytes, frameTime, isFrame, nextFrame } from "../log/format.ts";
import { ifMissing, listSegments, readFrom, type Segment } from "../log/segments.ts";
import { type Counted, positionsOf } from "./positions.ts";

/** Approximate bytes of a click, for the parts that are not read. */
const usualClickBytes = 160;

/** The time for the database to answer before its last answer is used instead */
const answerMs = 1000;

type Positions = ReadonlyMap<string, Counted>;

/**
 * Measures the backlog from the files and the positions in the database, independently of what the log and the drain report.
 * The clicks in about `maxReadBytes` are counted, the number of others is estimated. `ask` gets the positions.
 */
export async function backlogOf(
  pool: Pool,
  folder: string,
  maxReadBytes = 16 * 1024 * 1024,
  ask?: (segments: readonly string[]) => Promise<Positions>,
): Promise<ClickBacklog> {
  const backlog: ClickBacklog = { bytes: 0, clicks: 0, oldest: null, free: await freeBytesOf(folder) };
  let readable = maxReadBytes;
  for (const { segment, from, bytes: waiting } of await waitingParts(pool, folder, ask)) {
    const read = await framesOf(segment, from, readable);
    readable = Math.max(0, readable - read.bytes);
    backlog.bytes += waiting;
    backlog.clicks += read.clicks + Math.round(read.unread / usualClickBytes);
    if (read.oldest !== null && read.oldest < (backlog.oldest ?? Infinity)) backlog.oldest = read.oldest;
  }
  return backlog;
}

/** Returns a function that measures the backlog even while the database does not answer, by its last known positions. */
export function createBacklog(pool: Pool, folder: string): () => Promise<ClickBacklog> {
  let known: Positions = new Map();
  let isAsking = false;
  async function ask(segments: readonly string[]): Promise<Positions> {
    if (isAsking) return known;
    isAsking = true;
    const answer = positionsOf(pool, segments)
      .then((positions) => (known = positions))
      .finally(() => (isAsking = false));
    const late = sleep(answerMs, undefined, { ref: false }).then(() => known);
    return Promise.race([answer, late]).catch(() => known);
  }
  return () => backlogOf(pool, folder, undefined, ask);
}

const freeBytesOf = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );

/** Bytes of a folder's click log that are not counted yet. */
export async function waitingBytes(pool: Pool, folder: string): Promise<number> {
  return (await waitingParts(pool, folder)).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The ends of segments that are not counted, by their offsets and lengths. */
async function waitingParts(
  pool: Pool,
  folder: string,
  ask = (segments: readonly string[]): Promise<Positions> => positionsOf(pool, segments),
): Promise<{ segment: Segment; from: number; bytes: number }[]> {
  const segments = await listSegments(folder);
  const positions = await ask(segments.map(({ id }) => id));
  const parts = segments.map((segment) => {
    const from = Math.max(positions.get(segment.id)?.from ?? 0, fileHeader.length);
    return { segment, from, bytes: segment.bytes - from };
  });
  // The seal, an empty frame, has no clicks.
  return parts.filter(({ bytes }) => bytes > frameHeaderBytes);
}

interface Frames {
  clicks: number;
  /** When the first of them was logged; null if there is none */
  oldest: number | null;
  /** Bytes that were read */
  bytes: number;
  /** Bytes of later frames, which were not read */
  unread: number;
}

/** Walks over the frames after an offset, in about `maxBytes`; it stops at damage. A file that is gone has none. */
async function framesOf({ path, bytes: size }: Segment, from: number, maxBytes: number): Promise<Frames> {
  const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
  if (!file) return { clicks: 0, oldest: null, bytes: 0, unread: 0 };
  try {
    // The time of the oldest is always read.
    const bytes = Math.min(size - from, Math.max(maxBytes, frameHeaderBytes));
    const buffer = await readFrom(file, Buffer.allocUnsafe(bytes), from);
    let clicks = 0;
    let at = 0;
    while (isFrame(buffer, at, buffer.length)) {
      clicks += frameClicks(buffer, at);
      at = nextFrame(buffer, at);
    }
    const oldest = clicks > 0 ? frameTime(buffer, 0) : null;
    // The last frame may reach beyond what was read. What is damaged was read, and has no clicks.
    const reached = at + frameHeaderBytes > bytes ? at : bytes;
    return { clicks, oldest, bytes, unread: Math.max(0, size - from - reached) };
  } finally {
    await file.close();
  }
}
