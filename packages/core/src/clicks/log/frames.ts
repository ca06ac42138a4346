import {
  type CountsAs,
  frameClicks,
  frameHeaderBytes,
  maxFrameBytes,
  type RawClick,
  writeFrameHeader,
} from "./format.ts";

/** Characters (UTF-16 units) of each string that the log keeps. */
const maxLengths = {
  address: 64,
  user_agent: 512,
  referrer: 1024,
  country: 8,
  campaign: 1001,
} as const;

const clickHeadBytes = 14;
const uuidBytes = 16;
const countsAsBot = 1;
const countsAsFallback = 2;
/** Converts between the variant of a limited click and its stored form. */
const limitedVariant = (variant: number): number => -3 - variant;
const hintsMark = 0xc1;
const maxHintsBytes = 255;
const campaignMark = 0xc0;
/** Bytes of a campaign besides its text. */
const campaignFrameBytes = 4;
/** Maximum length of a click: UTF-8 takes at most three bytes for a UTF-16 unit. */
const maxClickBytes =
  clickHeadBytes +
  uuidBytes +
  maxHintsBytes +
  3 +
  campaignFrameBytes +
  3 * Object.values(maxLengths).reduce<number>((sum, length) => sum + length, 0);

const startBytes = 65_536;
/** A larger buffer is replaced by a small one after use. */
const maxIdleBytes = 1_048_576;

/** The frames of one event loop iteration, in a buffer that is reused. */
export class FrameBuffer {
  bytes = Buffer.allocUnsafeSlow(startBytes);
  /** End of the last click; after `seal`, bytes [0, end) are whole frames */
  end = 0;
  /** Clicks in all frames */
  clicks = 0;
  #start = 0;
  #inFrame = 0;
  #base = 0;

  /** Encodes a click. Returns false, and adds nothing, if its link id is not a UUID. */
  add(click: RawClick): boolean {
    const rounded = Math.round(click.time) || 0;
    const time = Number.isSafeInteger(rounded) ? rounded : 0;
    if (this.#inFrame > 0 && !this.#fits(time)) this.seal();
    if (this.bytes.length - this.end < frameHeaderBytes + maxClickBytes) this.#grow();
    const first = this.#inFrame === 0;
    if (first) this.#base = time;
    const at = first ? this.#start + frameHeaderBytes : this.end;
    const end = writeClick(this.bytes, at, time - this.#base, click);
    if (end < 0) return false;
    this.end = end;
    this.#inFrame += 1;
    this.clicks += 1;
    return true;
  }

  /** Ends the current frame, if there is one. */
  seal(): void {
    if (this.#inFrame === 0) return;
    writeFrameHeader(this.bytes, this.#start, this.end, this.#inFrame, this.#base);
    this.#start = this.end;
    this.#inFrame = 0;
  }

  /** Removes all frames. */
  clear(): void {
    this.end = this.#start = this.clicks = this.#inFrame = 0;
    if (this.bytes.length > maxIdleBytes) this.bytes = Buffer.allocUnsafeSlow(startBytes);
  }

  #fits(time: number): boolean {
    const delta = time - this.#base;
    return this.end - this.#start + maxClickBytes <= maxFrameBytes && (delta | 0) === delta;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.bytes.length * 2);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

/** Writes the click at `at`. Returns where it ends, or -1 if its link id is not a UUID. */
function writeClick(bytes: Buffer, at: number, time: number, click: RawClick): number {
  const address = at + clickHeadBytes;
  const country = writeText(bytes, address, click.address, maxLengths.address);
  const userAgent = writeText(bytes, country, click.country, maxLengths.country);
  const referrer = writeText(bytes, userAgent, click.user_agent, maxLengths.user_agent);
  const campaign = writeText(bytes, referrer, click.referrer, maxLengths.referrer);
  const hints = click.campaign ? writeCampaign(bytes, campaign, click.campaign) : campaign;
  const id = click.client_hints ? writeHints(bytes, hints, click.client_hints) : hints;
  const { counts_as } = click;
  const variant = counts_as === "limited" ? limitedVariant(click.variant) : click.variant;
  bytes.writeInt32LE(time, at);
  bytes[at + 4] = click.flags;
  bytes[at + 5] = counts_as === undefined ? 0 : countsAsBytes[counts_as];
  bytes[at + 6] = variant;
  bytes[at + 7] = variant >>> 8;
  bytes[at + 8] = country - address;
  bytes[at + 9] = userAgent - country;
  bytes.writeUInt16LE(referrer - userAgent, at + 10);
  bytes.writeUInt16LE(id - referrer, at + 12);
  return writeUuid(bytes, id, click.link_id) ? id + uuidBytes : -1;
}

const countsAsBytes = { limited: 0, bot: countsAsBot, fallback: countsAsFallback } as const satisfies Record<
  CountsAs,
  number
>;

function writeText(bytes: Buffer, at: number, text: string, max: number): number {
  if (text === "") return at;
  return at + bytes.write(text.length > max ? cut(text, max) : text, at, "utf8");
}

function writeCampaign(bytes: Buffer, at: number, text: string): number {
  const end = writeText(bytes, at + 1, text, maxLengths.campaign);
  bytes[at] = 0x23; // #
  bytes.writeUInt16LE(end - at - 1, end);
  bytes[end + 2] = campaignMark;
  return at + (end - at - 1) + campaignFrameBytes;
}

function writeHints(bytes: Buffer, at: number, text: string): number {
  const length = bytes.write(text, at + 1, maxHintsBytes, "utf8");
  bytes[at] = 0x23; // #
  bytes[at + 1 + length] = hintsMark;
  bytes[at + 2 + length] = length;
  return at + 3 + length;
}

/** The first `max` UTF-16 units, without half of a surrogate pair at the end. */
function cut(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}

const nibbles = new Uint8Array(128).fill(0xff);
for (let value = 0; value < 16; value++) {
  nibbles[value.toString(16).charCodeAt(0)] = value;
  nibbles[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

function writeUuid(bytes: Buffer, at: number, text: string): boolean {
  if (text.length !== 36) return false;
  let index = 0;
  let wrong = 0;
  for (let byte = 0; byte < uuidBytes; byte++) {
    if (index === 8 || index === 13 || index === 18 || index === 23) index += 1;
    const high = nibbles[text.charCodeAt(index)] ?? 0xff;
    const low = nibbles[text.charCodeAt(index + 1)] ?? 0xff;
    wrong |= high | low;
    bytes[at + byte] = (high << 4) | low;
    index += 2;
  }
  return wrong < 16;
}

/**
 * Appends the clicks of the whole frame at [start, end) to `clicks`. Returns false, and appends nothing, if the contents
 * do not match the frame's header: then another version wrote it.
 */
export function decodeFrame(bytes: Buffer, start: number, end: number, clicks: RawClick[]): boolean {
  const before = clicks.length;
  const base = bytes.readDoubleLE(start + 12);
  let at = start + frameHeaderBytes;
  for (let left = frameClicks(bytes, start); left > 0; left--) {
    const next = clickEnd(bytes, at, end);
    if (next > end) {
      clicks.length = before;
      return false;
    }
    clicks.push(readClick(bytes, at, base));
    at = next;
  }
  if (at !== end) clicks.length = before;
  return at === end;
}

function clickEnd(bytes: Buffer, at: number, end: number): number {
  if (end - at < clickHeadBytes + uuidBytes) return Number.POSITIVE_INFINITY;
  const strings =
    bytes.readUInt8(at + 8) +
    bytes.readUInt8(at + 9) +
    bytes.readUInt16LE(at + 10) +
    bytes.readUInt16LE(at + 12);
  return at + clickHeadBytes + strings + uuidBytes;
}

function readClick(bytes: Buffer, at: number, base: number): RawClick {
  const address = at + clickHeadBytes;
  const country = address + bytes.readUInt8(at + 8);
  const userAgent = country + bytes.readUInt8(at + 9);
  const referrer = userAgent + bytes.readUInt16LE(at + 10);
  const id = referrer + bytes.readUInt16LE(at + 12);
  const hasHints = id - referrer >= 3 && bytes[id - 2] === hintsMark;
  const hints = hasHints ? id - 2 - (bytes[id - 1] as number) : id;
  const beforeHints = hasHints ? hints - 1 : id;
  const hasCampaign = beforeHints - referrer >= 4 && bytes[beforeHints - 1] === campaignMark;
  const campaign = hasCampaign ? beforeHints - 3 - bytes.readUInt16LE(beforeHints - 3) : beforeHints;
  const variant = bytes.readInt16LE(at + 6);
  const counts_as = readCountsAs(bytes[at + 5] as number, variant);
  return {
    link_id: uuidAt(bytes, id),
    time: base + bytes.readInt32LE(at),
    address: bytes.toString("utf8", address, country),
    user_agent: bytes.toString("utf8", userAgent, referrer),
    referrer: bytes.toString("utf8", referrer, hasCampaign ? campaign - 1 : beforeHints),
    client_hints: hasHints ? bytes.toString("utf8", hints, id - 2) : undefined,
    campaign: hasCampaign ? bytes.toString("utf8", campaign, beforeHints - 3) : undefined,
    country: bytes.toString("utf8", country, userAgent),
    flags: bytes[at + 4] as number,
    variant: counts_as === "limited" ? limitedVariant(variant) : variant,
    counts_as,
  };
}

function readCountsAs(byte: number, variant: number): CountsAs | undefined {
  if (byte === countsAsBot) return "bot";
  if (byte === countsAsFallback) return "fallback";
  return variant < -1 ? "limited" : undefined;
}

/** A power of two. */
const cacheSize = 16_384;
/** Those that were read last, in words of 32 bits, and their texts: 2 MB. */
const words = new Int32Array(4 * cacheSize);
const texts = Array.from<string | undefined>({ length: cacheSize });

/**
 * The text of the UUID at an offset. Most clicks are on links that were clicked before: finding the same string is
 * faster than making a new one, and so is looking it up later.
 */
export function uuidAt(bytes: Buffer, at: number): string {
  const a = bytes.readInt32LE(at);
  const b = bytes.readInt32LE(at + 4);
  const c = bytes.readInt32LE(at + 8);
  const d = bytes.readInt32LE(at + 12);
  // The end is random. Of UUIDs with the same position, the latest one is kept.
  const position = (d >>> 16) & (cacheSize - 1);
  const known = texts[position];
  const first = 4 * position;
  if (
    known !== undefined &&
    words[first] === a &&
    words[first + 1] === b &&
    words[first + 2] === c &&
    words[first + 3] === d
  )
    return known;
  words.set([a, b, c, d], first);
  const text = uuidOfHex(bytes.toString("hex", at, at + 16));
  texts[position] = text;
  return text;
}

export const uuidOfHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
