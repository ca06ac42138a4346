import {
  campaignFrameBytes,
  campaignMark,
  clickHeadBytes,
  countsAsBot,
  countsAsFallback,
  frameHeaderBytes,
  hintsMark,
  limitedVariant,
  maxClickBytes,
  maxFrameBytes,
  maxHintsBytes,
  uuidBytes,
  writeFrameHeader,
} from "./format.ts";
import { type CountsAs, maxLengths, type RawClick } from "./raw-click.ts";

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

  /** Encodes a click. Returns false, and adds nothing, if its link id is no UUID. */
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

/** Writes the click at `at`. Returns where it ends, or -1 if its link id is no UUID. */
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
