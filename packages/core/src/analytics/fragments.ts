/** Maximum of cached characters, apart from those of the last `load`. */
const maxLength = 4_000_000;

/**
 * Caches the formatted cells of links, clients or referrers by id. Its size is bounded, since an export can have any
 * number of rows; most of them share their fragments with earlier rows.
 */
export class Fragments<Id extends string | number> {
  readonly #read: (ids: Id[]) => Promise<Iterable<readonly [Id, string]>>;
  readonly #known = new Map<Id, string>();
  #length = 0;

  constructor(read: (ids: Id[]) => Promise<Iterable<readonly [Id, string]>>) {
    this.#read = read;
  }

  /** Loads the fragments of these ids, if they are missing. */
  async load(ids: readonly Id[]): Promise<void> {
    const wanted = [...new Set(ids)];
    let missing = wanted.filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    if (this.#length > maxLength) {
      this.#known.clear();
      this.#length = 0;
      missing = wanted;
    }
    for (const [id, fragment] of await this.#read(missing)) {
      this.#known.set(id, fragment);
      this.#length += fragment.length;
    }
  }

  /** Throws for an id that was not in the last `load`. */
  of(id: Id): string {
    const fragment = this.#known.get(id);
    if (fragment === undefined) throw new Error(`The fragment of ${id} was not loaded`);
    return fragment;
  }
}
