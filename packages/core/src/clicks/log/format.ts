import { crc32 } from "node:zlib";

/** A visit as the short-link host saw it, before anything is derived. */
export interface RawClick {
  /** UUID text */
  link_id: string;
  /** Milliseconds since the epoch, whole */
  time: number;
  /** The client's IP address as text, "" when unknown; the log keeps 64 characters */
  address: string;
  /** As received, "" when absent; the log keeps 512 characters */
  user_agent: string;
  /** As received, "" when absent; the log keeps 1024 characters */
  referrer: string;
  /** From `joinHints`, absent if the browser sent none; the log keeps 255 bytes */
  client_hints?: string | undefined;
  /** From `campaignIn`, absent if the visit has none; the log keeps 1001 characters */
  campaign?: string | undefined;
  /** From a trusted proxy's header, otherwise ""; the log keeps 8 characters. A country here overrides that of the address */
  country: string;
  /** Bits of `requestFlags`, each of which makes the click a bot's; 0 to 255 */
  flags: number;
  /** Index of the A/B variant, -1 for none; up to 32765 */
  variant: number;
  /** Left out for the drain to find out */
  counts_as?: CountsAs | undefined;
}

/**
 * Who visited, overriding the rest of the click. "limited": a person's visit that reserved one of the clicks of a
 * link with a `click_limit`. "bot": another visit of such a link. "fallback": a visit that was sent to the link's
 * `fallback_url`, by a person or a bot.
 */
export type CountsAs = "limited" | "bot" | "fallback";

/**
 * The format of a segment; numbers are little-endian, strings UTF-8:
 *
 *     segment = "TERSECL" version:u8 frame*
 *     frame   = crc32:u32 (of all that follows) magic:u16 clicks:u16 body:u32 (bytes) base:f64 (ms) click*
 *     click   = time:i32 (ms after base) flags:u8 counts_as:u8 variant:i16
 *               lengths of address:u8 country:u8 user_agent:u16 referrer:u16, the four strings, link_id:16 bytes
 *
 * If there are client hints, the last string is `referrer "#" hints C1 length:u8 (bytes of hints)`; a campaign comes before them,
 * as `"#" campaign length:u16 (bytes of campaign) C0`. No UTF-8 text has the bytes C0 and C1, and the upper byte of the length is
 * never C1.
 *
 * `counts_as` is 1 for "bot", 2 for "fallback", else 0. Of a "limited" click, `variant` is -2 for none, -3 for 0, -4 for 1 …
 * A frame without clicks is the seal, which is written last; its base is its own offset in the file.
 */

export const fileHeader = Buffer.from("TERSECL\u0001", "latin1");
/** C5 C1 on disk. No UTF-8 text has the byte C1, so no text from a client can look like a header or a seal. */
const frameMagic = 0xc1c5;
const magicBytes = Buffer.from([frameMagic & 0xff, frameMagic >> 8]);
const magicAt = 4;
export const frameHeaderBytes = 20;
/** Maximum length of a frame, including its header; a longer one is damage. */
export const maxFrameBytes = 65_536;

/** Writes the header of the frame at [start, end). */
export function writeFrameHeader(bytes: Buffer, start: number, end: number, clicks: number, base: number) {
  bytes.writeUInt16LE(frameMagic, start + 4);
  bytes.writeUInt16LE(clicks, start + 6);
  bytes.writeUInt32LE(end - start - frameHeaderBytes, start + 8);
  bytes.writeDoubleLE(base, start + 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(start + 4, end)), start);
}

/** Returns the end of the whole frame at `start`, or why there is none; the bytes end at `limit`. */
export function frameEnd(bytes: Buffer, start: number, limit: number): number | "incomplete" | "damaged" {
  if (limit - start < frameHeaderBytes) return "incomplete";
  const length = frameHeaderBytes + bytes.readUInt32LE(start + 8);
  if (bytes.readUInt16LE(start + 4) !== frameMagic || length > maxFrameBytes) return "damaged";
  if (limit - start < length) return "incomplete";
  const whole = crc32(bytes.subarray(start + 4, start + length)) === bytes.readUInt32LE(start);
  return whole ? start + length : "damaged";
}

/** Returns where the first whole frame in `bytes` starts, or -1. This finds frames after damage, by their magic number. */
export function findFrame(bytes: Buffer): number {
  for (let at = bytes.indexOf(magicBytes, magicAt); at >= 0; at = bytes.indexOf(magicBytes, at + 1))
    if (typeof frameEnd(bytes, at - magicAt, bytes.length) === "number") return at - magicAt;
  return -1;
}

/** The number of clicks in the frame at `start`, from its header. */
export const frameClicks = (bytes: Buffer, start: number): number => bytes.readUInt16LE(start + 6);

/** Whether the bytes at `start` look like a frame's header; its checksum is not compared. */
export const isFrame = (bytes: Buffer, start: number, limit: number): boolean =>
  limit - start >= frameHeaderBytes && bytes.readUInt16LE(start + magicAt) === frameMagic;

/** The time of the frame at `start`, from its header, in milliseconds since the epoch. */
export const frameTime = (bytes: Buffer, start: number): number => bytes.readDoubleLE(start + 12);

/** Returns the end of the frame at `start`, which is known to be whole. */
export const nextFrame = (bytes: Buffer, start: number): number =>
  start + frameHeaderBytes + bytes.readUInt32LE(start + 8);

/** The frame that marks the end of a segment, at `offset` in the file. */
export function sealFrame(offset: number): Buffer {
  const bytes = Buffer.alloc(frameHeaderBytes);
  writeFrameHeader(bytes, 0, frameHeaderBytes, 0, offset);
  return bytes;
}

/**
 * Counts the clicks in whole frames of a segment's bytes, which start at the offset `from` of its file. `end` is where the last
 * whole frame ends; what follows is incomplete or damaged. `onFrame` gets the start and the end of each.
 */
export function framesIn(
  bytes: Buffer,
  from: number,
  onFrame: (start: number, end: number) => void = () => {},
): { clicks: number; end: number } {
  let clicks = 0;
  let end = from === 0 ? Math.min(fileHeader.length, bytes.length) : 0;
  for (let at = end; ; ) {
    const next = frameEnd(bytes, at, bytes.length);
    if (typeof next === "number") {
      clicks += frameClicks(bytes, at);
      onFrame(at, next);
      end = at = next;
      continue;
    }
    const found = at + 1 < bytes.length ? findFrame(bytes.subarray(at + 1)) : -1;
    if (found < 0) return { clicks, end };
    at += 1 + found;
  }
}
