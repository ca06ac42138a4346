import {
  campaignMark,
  clickHeadBytes,
  countsAsBot,
  countsAsFallback,
  frameClicks,
  frameHeaderBytes,
  hintsMark,
  limitedVariant,
  uuidBytes,
} from "./format.ts";
import type { CountsAs, RawClick } from "./raw-click.ts";
import { uuidAt } from "./uuids.ts";

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
