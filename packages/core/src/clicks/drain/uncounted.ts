import { decodeFrame } from "../log/decode.ts";
import { framesIn } from "../log/frames-in.ts";
import type { RawClick } from "../log/raw-click.ts";
import type { Counted } from "./positions.ts";
import { splitByLink } from "./prepare/parts.ts";

/**
 * Counts the clicks in a segment's bytes, which start at the offset `from` of its file, that are not counted. `end` is where
 * the last whole frame ends.
 */
export function uncountedIn(bytes: Buffer, { from, until, done }: Counted): { clicks: number; end: number } {
  const begun: RawClick[] = [];
  const frames = framesIn(bytes, from, (start, end) => {
    if (until !== null && from + end <= until) decodeFrame(bytes, start, end, begun);
  });
  let { clicks } = frames;
  for (const [bit, some] of splitByLink(begun, done)) if ((done & bit) !== 0) clicks -= some.length;
  return { clicks, end: frames.end };
}
