import { createHash } from "node:crypto";
import type { Line } from "./line.ts";

/**
 * Counts equal rows of an import, so that a URL that stands there twice becomes two links, however often the import is
 * run. Keeps a number of 53 bits a row rather than its text: some 50 MB for a million of them.
 */
export class Occurrences {
  readonly #seen = new Map<number, number>();

  /** How many rows with the same url, slug and domain were asked for before this one. */
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
