export { openClickLog } from "./click-log.ts";
export type { ClickLog, ClickLogEvent, ClickLogOptions, ClickLogStats } from "./options.ts";
export type { RawClick } from "./raw-click.ts";
export { cutSegment, readSegment, type SegmentPart } from "./read.ts";
export { listSegments, removeSegment, type Segment } from "./segments.ts";
