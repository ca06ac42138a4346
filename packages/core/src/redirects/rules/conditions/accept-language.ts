import { createMemo } from "../../../kernel/memo.ts";

/** Characters and ranges of a header that are read. Browsers send at most about ten ranges. */
const maxHeader = 512;
const maxRanges = 32;
const maxHeaders = 1024;

const rangePattern = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

const parsed = createMemo(parseRanges, maxHeaders, maxHeader);

/** The language ranges of an Accept-Language header in lower case, the preferred ones first (RFC 9110 section 12.5.4). */
function parseRanges(header: string): readonly string[] {
  const ranges: { range: string; weight: number }[] = [];
  for (const part of header.split(",", maxRanges)) {
    const [, range, weight = "1"] = rangePattern.exec(part) ?? [];
    // `*` has no meaning in a look-up, and a weight of 0 excludes a language.
    if (range !== undefined && Number(weight) > 0)
      ranges.push({ range: range.toLowerCase(), weight: Number(weight) });
  }
  return ranges.toSorted((one, other) => other.weight - one.weight).map(({ range }) => range);
}

/**
 * The tag that suits a visitor best, by the look-up of RFC 4647 section 3.4; null if none does. `tags` are in lower case.
 * Malformed parts of the header are skipped, and so is what follows its 512th character.
 */
export function bestLanguage(header: string, tags: ReadonlySet<string>): string | null {
  if (header === "" || tags.size === 0) return null;
  for (const range of parsed.get(header)) {
    for (let tag = range; tag !== ""; tag = truncated(tag)) if (tags.has(tag)) return tag;
  }
  return null;
}

/** Removes the last subtag. Tags never end with a single letter, so the look-up's rule for those needs no code. */
const truncated = (tag: string): string => tag.slice(0, Math.max(tag.lastIndexOf("-"), 0));
