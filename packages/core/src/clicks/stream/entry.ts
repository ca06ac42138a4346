import { crc32 } from "node:zlib";
import { fileHeader, frameEnd } from "../log/format.ts";
import { parseFileName, segmentFile } from "../log/segment-name.ts";

/**
 * The format of an entry; numbers are little-endian:
 *
 *     entry = "TERSEFR" version:u8 crc32:u32 (of all that follows) offset:u48 id:u8 (bytes) segment-id frame*
 *
 * The frames are whole, follow each other in the segment, and begin there at `offset`.
 */
const magic = Buffer.from("TERSEFR", "latin1");
const version = 1;
const crcAt = 8;
const offsetAt = 12;
const idAt = 19;

/** Frames of a segment, as an entry of the stream carries them. */
export interface Frames {
  segment: string;
  /** Identifies the process that wrote the segment */
  writer: string;
  /** Where they begin and end in the segment */
  from: number;
  to: number;
  bytes: Buffer;
}

export function encodeEntry(segment: string, offset: number, frames: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(idAt + segment.length + frames.length);
  magic.copy(bytes);
  bytes[magic.length] = version;
  bytes.writeUIntLE(offset, offsetAt, 6);
  bytes[idAt - 1] = segment.length;
  bytes.write(segment, idAt, "latin1");
  frames.copy(bytes, idAt + segment.length);
  bytes.writeUInt32LE(crc32(bytes.subarray(offsetAt)), crcAt);
  return bytes;
}

/** Returns the frames of an entry, or why it has none; anyone who can write to the stream may have added it. */
export function decodeEntry(entry: Buffer): Frames | "foreign" | "unknown version" | "damaged" {
  if (entry.length <= magic.length || !entry.subarray(0, magic.length).equals(magic)) return "foreign";
  if (entry[magic.length] !== version) return "unknown version";
  if (entry.length < idAt || crc32(entry.subarray(offsetAt)) !== entry.readUInt32LE(crcAt)) return "damaged";
  const from = entry.readUIntLE(offsetAt, 6);
  const framesAt = idAt + (entry[idAt - 1] as number);
  const segment = entry.toString("latin1", idAt, framesAt);
  const name = parseFileName(segmentFile(segment));
  const bytes = entry.subarray(framesAt);
  if (name === undefined || from < fileHeader.length || !areWhole(bytes)) return "damaged";
  return { segment, writer: name.writer, from, to: from + bytes.length, bytes };
}

function areWhole(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; ) {
    const end = frameEnd(bytes, at, bytes.length);
    if (typeof end === "string") return false;
    at = end;
  }
  return bytes.length > 0;
}
