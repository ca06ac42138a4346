import type { RawClick } from "../../log/index.ts";

/** Number of parts that a batch is split into; a part has all clicks of its links. */
export const partCount = 4;

/** The bit of a part in a set of parts. */
export type PartBit = number;

/** Splits clicks by their links; the same way whenever the same clicks are read. Parts without clicks are left out. */
export function splitByLink(clicks: readonly RawClick[]): Map<PartBit, RawClick[]> {
  const parts = new Map<PartBit, RawClick[]>();
  for (const click of clicks) {
    // The end of an id is random.
    const bit = 1 << (Number.parseInt(click.link_id.slice(-1), 16) % partCount);
    const part = parts.get(bit);
    if (part === undefined) parts.set(bit, [click]);
    else part.push(click);
  }
  return parts;
}
