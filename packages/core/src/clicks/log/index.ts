export { openClickLog } from "./click-log.ts";
export { fileHeader } from "./format.ts";
export type { ClickLog, ClickLogOptions, ClickLogStats } from "./options.ts";
export type { RawClick } from "./raw-click.ts";
export { readSegment, type SegmentPart } from "./read.ts";
export { ifMissing, listSegments, type Segment } from "./segments.ts";
