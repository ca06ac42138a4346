import { createHash } from "node:crypto";
import type { SentLink } from "@terse/importers";

/**
 * Counts equal rows of an import, so that a URL that is listed twice becomes two links, however often the import runs.
 * Stores a 53-bit hash for each row instead of its text: about 50 MB for a million rows.
 */
export class Occurrences {
  readonly #seen = new Map<number, number>();

  /** Returns how many rows with the same url, slug and domain came before this one. */
  next({ url, slug = "", domain = "" }: SentLink): number {
    const hash = createHash("sha256")
      .update(JSON.stringify([url, slug, domain]))
      .digest();
    const key = Number(hash.readBigUInt64BE() >> 11n);
    const before = this.#seen.get(key) ?? 0;
    this.#seen.set(key, before + 1);
    return before;
  }
}
