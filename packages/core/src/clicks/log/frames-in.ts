import { fileHeader, findFrame, frameClicks, frameEnd } from "./format.ts";

/**
 * Counts the clicks in whole frames of a segment's bytes, which start at the offset `from` of its file. `end` is where the last
 * whole frame ends; what follows is incomplete or damaged.
 */
export function framesIn(bytes: Buffer, from: number): { clicks: number; end: number } {
  let clicks = 0;
  let end = from === 0 ? Math.min(fileHeader.length, bytes.length) : 0;
  for (let at = end; ; ) {
    const next = frameEnd(bytes, at, bytes.length);
    if (typeof next === "number") {
      clicks += frameClicks(bytes, at);
      end = at = next;
      continue;
    }
    const found = at + 1 < bytes.length ? findFrame(bytes.subarray(at + 1)) : -1;
    if (found < 0) return { clicks, end };
    at += 1 + found;
  }
}
