import { type FileHandle, open } from "node:fs/promises";
import { decodeFrame } from "./decode.ts";
import { fileHeader, frameEnd, maxFrameBytes } from "./format.ts";
import type { RawClick } from "./raw-click.ts";
import { gone, mustBeSealed, type Segment } from "./segments.ts";

/** What stands in a segment from a position on. */
export interface SegmentPart {
  clicks: RawClick[];
  /** Byte offset after the last whole frame: the position to go on from */
  next: number;
  /** No whole frame follows now */
  end: boolean;
  /** Bytes that follow and are no whole frame. Of an open segment, an unfinished frame is not counted: it is being written */
  torn: number;
}

const chunkBytes = 4 * maxFrameBytes;

/**
 * Reads whole frames from `position` (byte offset, 0 = start) until there are `maxClicks` or more (by less than a
 * frame's, some 2,000). Stops for good at the first damaged frame. A segment that is gone reads as empty.
 */
export async function readSegment(
  segment: Segment,
  position: number,
  maxClicks: number,
): Promise<SegmentPart> {
  const file = await open(segment.path).catch((error: unknown) => gone(error, undefined));
  if (!file) return { clicks: [], next: position, end: true, torn: 0 };
  try {
    return await readFrames(file, segment.sealed, position, maxClicks);
  } finally {
    await file.close();
  }
}

async function readFrames(
  file: FileHandle,
  sealed: boolean,
  position: number,
  maxClicks: number,
): Promise<SegmentPart> {
  const { size } = await file.stat();
  const clicks: RawClick[] = [];
  const stop = (next: number, damaged: boolean): SegmentPart => ({
    clicks,
    next,
    end: true,
    torn: damaged || sealed ? Math.max(0, size - next) : 0,
  });
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(size - position, fileHeader.length)));
  if (position < fileHeader.length) {
    const header = await fill(file, chunk.subarray(0, fileHeader.length), 0);
    if (!header.equals(fileHeader)) return stop(0, header.length === fileHeader.length);
  }
  let next = Math.max(position, fileHeader.length);
  for (;;) {
    const bytes = await fill(file, chunk, next);
    let at = 0;
    while (at < bytes.length && clicks.length < maxClicks) {
      const end = frameEnd(bytes, at, bytes.length);
      if (end === "incomplete") break;
      if (end === "damaged" || !decodeFrame(bytes, at, end, clicks)) return stop(next + at, true);
      at = end;
    }
    next += at;
    if (clicks.length >= maxClicks) return { clicks, next, end: next >= size, torn: 0 };
    if (at === 0) return stop(next, false);
  }
}

/** Reads at `offset` until the buffer is full or the file ends. */
async function fill(file: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** Cuts what follows `position` off a sealed segment. Answers the bytes that were cut. */
export async function cutSegment(segment: Segment, position: number): Promise<number> {
  mustBeSealed(segment);
  const file = await open(segment.path, "r+").catch((error: unknown) => gone(error, undefined));
  if (!file) return 0;
  try {
    const { size } = await file.stat();
    if (size <= position) return 0;
    await file.truncate(position);
    await file.datasync();
    return size - position;
  } finally {
    await file.close();
  }
}
