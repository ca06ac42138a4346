import { createHash } from "node:crypto";

/** One line of an import; values are trimmed and "" if missing. */
export interface Line {
  /** Line number where it starts in the file, from 1 */
  line: number;
  url: string;
  slug: string;
  title: string;
  domain: string;
  /** Names, separated by "|" */
  tags: string;
  /** Why the line could not be parsed */
  fault?: string;
}

/** A line of which only the number is known. */
export const blankLine = (line: number): Line => ({
  line,
  url: "",
  slug: "",
  title: "",
  domain: "",
  tags: "",
});

/**
 * Counts equal lines of an import, so that a URL that is listed twice becomes two links, however often the import runs.
 * Stores a 53-bit hash for each line instead of its text: about 50 MB for a million lines.
 */
export class Occurrences {
  readonly #seen = new Map<number, number>();

  /** Returns how many lines with the same url, slug and domain came before this one. */
  next({ url, slug, domain }: Line): number {
    const hash = createHash("sha256")
      .update(JSON.stringify([url, slug, domain]))
      .digest();
    const key = Number(hash.readBigUInt64BE() >> 11n);
    const before = this.#seen.get(key) ?? 0;
    this.#seen.set(key, before + 1);
    return before;
  }
}
