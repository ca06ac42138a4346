import { type FileHandle, open } from "node:fs/promises";
import { decodeFrame } from "./decode.ts";
import { fileHeader, findFrame, frameEnd, maxFrameBytes } from "./format.ts";
import type { RawClick } from "./raw-click.ts";
import { ifMissing, type Segment } from "./segments.ts";

/** The contents of a segment after a position. */
export interface SegmentPart {
  clicks: RawClick[];
  /** Byte offset after the last whole frame: the position to continue from */
  next: number;
  /** No whole frame follows at present */
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
  const file = await open(segment.path).catch((error: unknown) => ifMissing(error, undefined));
  if (!file) return { clicks: [], next: position, end: true, damaged: 0, torn: 0 };
  try {
    return await readFrames(file, segment.sealed, position, maxClicks, until);
  } finally {
    await file.close();
  }
}

async function readFrames(
  file: FileHandle,
  sealed: boolean,
  position: number,
  maxClicks: number,
  until: number,
): Promise<SegmentPart> {
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
