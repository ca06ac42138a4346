import { access, type FileHandle, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  fileHeader,
  findFrame,
  frameClicks,
  frameEnd,
  frameHeaderBytes,
  maxFrameBytes,
  type RawClick,
} from "./format.ts";
import { decodeFrame } from "./frames.ts";
import { ending, isAlive, parseFileName, type SegmentName } from "./segment-name.ts";

/** One file of the click log. */
export interface Segment {
  /** Stable id: the file name without its ending */
  id: string;
  /** Identifies the process that writes it */
  writer: string;
  /** It was its writer's newest when the folder was listed */
  newest: boolean;
  path: string;
  bytes: number;
  /** Nothing more will be appended: it is sealed, it is not its writer's newest, or its writer is dead */
  sealed: boolean;
}

/** Lists all segments, each writer's in the order of writing. A missing folder has none. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const files = await readdir(folder).catch((error: unknown) => ifMissing(error, []));
  const names = new Map<string, SegmentName>();
  const newest = new Map<string, number>();
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) {
    const name = parseFileName(file);
    if (!name) continue;
    names.set(file, name);
    newest.set(name.writer, name.number);
  }
  const segments: Segment[] = [];
  for (const [file, name] of names) {
    const segment = await describe(join(folder, file), name, name.number === newest.get(name.writer));
    if (segment) segments.push(segment);
  }
  return segments;
}

/** Whether a segment is the last one of its writer that exists. */
export async function isLastOfWriter({ id, path, writer }: Segment): Promise<boolean> {
  const files = await readdir(dirname(path));
  return !files.some((file) => parseFileName(file)?.writer === writer && file !== id + ending);
}

/** Reads the size after deciding `sealed`, so that the size of a sealed segment is final. */
async function describe(path: string, name: SegmentName, newest: boolean): Promise<Segment | undefined> {
  try {
    const ended = !newest || !isAlive(name.owner, (await stat(path)).mtimeMs);
    // An unreadable file fails when it is read; it must not keep others from being listed.
    const sealed = ended || (await endsWithSeal(path).catch(() => false));
    const { size } = await stat(path);
    const id = path.slice(dirname(path).length + 1, -ending.length);
    return { id, writer: name.writer, newest, path, bytes: size, sealed };
  } catch (error) {
    return ifMissing(error, undefined);
  }
}

async function endsWithSeal(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const offset = (await file.stat()).size - frameHeaderBytes;
    const tail = Buffer.alloc(frameHeaderBytes);
    if (offset < 0 || (await file.read(tail, 0, frameHeaderBytes, offset)).bytesRead < frameHeaderBytes)
      return false;
    const whole = frameEnd(tail, 0, frameHeaderBytes) === frameHeaderBytes;
    return whole && frameClicks(tail, 0) === 0 && tail.readDoubleLE(12) === offset;
  } finally {
    await file.close();
  }
}

/** Returns `answer` if the error is that a file does not exist; otherwise throws the error. */
export function ifMissing<T>(error: unknown, answer: T): T {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return answer;
  throw error;
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The contents of a segment after a position. */
export interface SegmentPart {
  clicks: RawClick[];
  /** Byte offset after the last whole frame: the position to continue from */
  next: number;
  /** No whole frame follows yet */
  end: boolean;
  /** Skipped bytes that are not a whole frame, but are followed by one */
  damaged: number;
  /** Bytes at the end that are not a whole frame; 0 in an open segment, whose last frame may be incomplete */
  torn: number;
}

const chunkBytes = 4 * maxFrameBytes;

/**
 * Reads whole frames from `position` (byte offset, 0 = start) until there are at least `maxClicks`, at most one frame
 * (about 2,000 clicks) more, or until the byte offset `until`. It stops at damage in an open segment; in a sealed one it
 * continues after the damage. A missing segment reads as empty.
 */
export async function readSegment(
  segment: Segment,
  position: number,
  maxClicks: number,
  until = Number.POSITIVE_INFINITY,
): Promise<SegmentPart> {
  const { path, sealed } = segment;
  const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
  if (!file) return { clicks: [], next: position, end: true, damaged: 0, torn: 0 };
  try {
    const { size } = await file.stat();
    const clicks: RawClick[] = [];
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(size - position, fileHeader.length)));
    let next = position;
    let damaged = 0;
    if (next === 0) {
      const header = await readFrom(file, chunk.subarray(0, fileHeader.length), 0);
      if (header.equals(fileHeader)) next = fileHeader.length;
    }
    while (next > 0 || sealed) {
      const bytes = (await readFrom(file, chunk, next)).subarray(0, until - next);
      let at = 0;
      while (next > 0 && at < bytes.length && clicks.length < maxClicks) {
        const end = frameEnd(bytes, at, bytes.length);
        if (typeof end === "string" || !decodeFrame(bytes, at, end, clicks)) break;
        at = end;
      }
      next += at;
      if (clicks.length >= maxClicks || next >= until)
        return { clicks, next, end: next >= size, damaged, torn: 0 };
      if (at > 0) continue;
      const found = sealed && next < size ? await findWhole(file, next + 1) : -1;
      if (found < 0) break;
      damaged += Math.min(found, until) - next;
      next = Math.min(found, until);
    }
    return { clicks, next, end: true, damaged, torn: sealed ? Math.max(0, size - next) : 0 };
  } finally {
    await file.close();
  }
}

/** Returns where the first whole frame after `offset` starts, or -1. */
async function findWhole(file: FileHandle, offset: number): Promise<number> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let start = offset; ; start += chunkBytes - maxFrameBytes) {
    const bytes = await readFrom(file, chunk, start);
    const found = findFrame(bytes);
    if (found >= 0) return start + found;
    if (bytes.length < chunkBytes) return -1;
  }
}

/** Reads from `offset` until the buffer is full or the file ends. */
export async function readFrom(file: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
