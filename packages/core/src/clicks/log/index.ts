export { openClickLog } from "./click-log.ts";
export { ending, newWriter } from "./name.ts";
export { fileHeader, frameClicks, frameHeaderBytes, frameTime, isFrame, nextFrame } from "./format.ts";
export type { ClickLog, ClickLogOptions, ClickLogStats } from "./options.ts";
export type { CountsAs, RawClick } from "./raw-click.ts";
export { readSegment, type SegmentPart } from "./read.ts";
export { exists, ifMissing, isLastOfWriter, listSegments, type Segment } from "./segments.ts";
