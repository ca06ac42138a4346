/**
 * Clicks by the id of a value, as a list of ids and one of clicks. Packed sums are sorted by id, so that two of them are added up in
 * one walk over both, in a tenth of the time that a map takes.
 */
export class ValueCounts {
  #ids: number[] = [];
  #clicks: number[] = [];
  /** Ids ascend, each once */
  #isSorted = true;
  /** With more entries, those with the same id are added up before others are added */
  #most = 1024;

  add(id: number, clicks: number): void {
    const { length } = this.#ids;
    if (length > 0 && id <= (this.#ids[length - 1] as number)) this.#isSorted = false;
    this.#ids.push(id);
    this.#clicks.push(clicks);
    if (length < this.#most) return;
    this.#sort();
    this.#most = Math.max(this.#most, 2 * this.#ids.length);
  }

  merge(others: ValueCounts): void {
    this.#sort();
    others.#sort();
    const [ids, clicks, otherIds, otherClicks] = [this.#ids, this.#clicks, others.#ids, others.#clicks];
    this.#ids = [];
    this.#clicks = [];
    for (let at = 0, other = 0; at < ids.length || other < otherIds.length; ) {
      const id = ids[at] ?? Number.POSITIVE_INFINITY;
      const otherId = otherIds[other] ?? Number.POSITIVE_INFINITY;
      this.#ids.push(Math.min(id, otherId));
      let sum = 0;
      if (id <= otherId) sum += clicks[at++] as number;
      if (otherId <= id) sum += otherClicks[other++] as number;
      this.#clicks.push(sum);
    }
  }

  get size(): number {
    this.#sort();
    return this.#ids.length;
  }

  /** In the order of ids. */
  forEach(use: (id: number, clicks: number) => void): void {
    this.#sort();
    for (let at = 0; at < this.#ids.length; at++) use(this.#ids[at] as number, this.#clicks[at] as number);
  }

  entries(): [id: number, clicks: number][] {
    this.#sort();
    return this.#ids.map((id, at) => [id, this.#clicks[at] as number]);
  }

  /** Sorts by id, and adds up the clicks of equal ids. */
  #sort(): void {
    if (this.#isSorted) return;
    const [ids, clicks] = [this.#ids, this.#clicks];
    const order = ids.map((_, at) => at).toSorted((a, b) => (ids[a] as number) - (ids[b] as number));
    this.#ids = [];
    this.#clicks = [];
    for (const at of order) {
      const last = this.#ids.length - 1;
      if (this.#ids[last] === ids[at]) (this.#clicks[last] as number) += clicks[at] as number;
      else {
        this.#ids.push(ids[at] as number);
        this.#clicks.push(clicks[at] as number);
      }
    }
    this.#isSorted = true;
  }
}
