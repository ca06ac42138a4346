/** Characters that are remembered, and as many more as the rows at hand need. */
const most = 4_000_000;

/**
 * What is written of links, clients and referrers, by id. Remembered up to a size: an export may be of any length, but
 * most of its rows share what rows before them had.
 */
export class Fragments<Id extends string | number> {
  readonly #load: (ids: Id[]) => Promise<Iterable<readonly [Id, string]>>;
  readonly #known = new Map<Id, string>();
  #length = 0;

  constructor(load: (ids: Id[]) => Promise<Iterable<readonly [Id, string]>>) {
    this.#load = load;
  }

  /** Makes all of these known. */
  async need(ids: readonly Id[]): Promise<void> {
    if (this.#length > most) {
      this.#known.clear();
      this.#length = 0;
    }
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    for (const [id, fragment] of await this.#load(missing)) {
      this.#known.set(id, fragment);
      this.#length += fragment.length;
    }
  }

  of(id: Id): string {
    const fragment = this.#known.get(id);
    if (fragment === undefined) throw new Error(`Nothing is known of ${id}`);
    return fragment;
  }
}
