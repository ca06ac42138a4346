import { randomUUID } from "node:crypto";
import type { SegmentOwner } from "./owner.ts";

/** The parts of a segment's file name. Names sort by writer, and of a writer in the order of writing. */
export interface SegmentName {
  /** When the writer started, ms since the epoch */
  since: number;
  /** 32 hex digits, random for each writer */
  writer: string;
  /** 0, 1, 2 … within the writer */
  number: number;
  owner: SegmentOwner;
}

/** A name for a writer, different from all others. */
export const newWriter = (): string => randomUUID().replaceAll("-", "");

export const ending = ".clicks";
const shape = /^(\d{14})-([0-9a-f]{32})-(\d{8})-(\d+)-(\d+)-([0-9a-f]{8})\.clicks$/;

/** The segment's identity: its file name without the ending. */
export function segmentId({ since, writer, number, owner }: SegmentName): string {
  const order = `${String(since).padStart(14, "0")}-${writer}-${String(number).padStart(8, "0")}`;
  return `${order}-${owner.pid}-${owner.started}-${owner.place}`;
}

/** The file name of a segment. */
export const segmentFile = (id: string): string => id + ending;

/** Returns undefined for files that are not segments. */
export function parseFileName(file: string): SegmentName | undefined {
  const match = shape.exec(file);
  if (!match) return undefined;
  const [, since = "", writer = "", number = "", pid = "", started = "", place = ""] = match;
  return {
    since: Number(since),
    writer,
    number: Number(number),
    owner: { pid: Number(pid), started: Number(started), place },
  };
}
