import type { RawClick } from "../../log/raw-click.ts";

/** The bit of a part in a set of parts. */
export type PartBit = number;

/** How many parts a batch is split into; a part has all clicks of its links. */
interface Parts {
  count: number;
  /** The bit of the first one; the others have the next ones */
  first: PartBit;
}

const parts: Parts = { count: 8, first: 1 << 8 };
/** Of a version before. Its bits are others, so that they tell how a batch was split that it has begun. */
const earlierParts: Parts = { count: 4, first: 1 };

/**
 * Splits clicks by their links; the same way whenever the same clicks are read. `done` has the bits of the parts that are counted, 0
 * if none is. Parts without clicks are left out.
 */
export function splitByLink(clicks: readonly RawClick[], done: number): Map<PartBit, RawClick[]> {
  const { count, first } = done !== 0 && done < parts.first ? earlierParts : parts;
  const split = Array.from({ length: count }, (): RawClick[] => []);
  for (const click of clicks) split[lastDigit(click.link_id) % count]?.push(click);
  const withBits = split.map((part, at) => [first << at, part] as const);
  return new Map(withBits.filter(([, part]) => part.length > 0));
}

/** The value of an id's last hexadecimal digit, which is random; `Number.parseInt` takes several times as long. */
function lastDigit(id: string): number {
  const code = id.charCodeAt(id.length - 1);
  return code <= nine ? code - zero : code - letterA + 10;
}
const [zero, nine, letterA] = [48, 57, 97];
