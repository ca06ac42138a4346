export { openClickLog } from "./click-log.ts";
export { framesIn } from "./frames-in.ts";
export { ending, newWriter, parseFileName, segmentFile } from "./name.ts";
export {
  fileHeader,
  frameClicks,
  frameEnd,
  frameHeaderBytes,
  frameTime,
  isFrame,
  nextFrame,
} from "./format.ts";
export { decodeFrame } from "./decode.ts";
export type { ClickLog, ClickLogOptions, ClickLogStats, CountDirectly } from "./options.ts";
export type { CountsAs, RawClick } from "./raw-click.ts";
export { readFrom, readSegment, type SegmentPart } from "./read.ts";
export { exists, ifMissing, isLastOfWriter, listSegments, type Segment } from "./segments.ts";
