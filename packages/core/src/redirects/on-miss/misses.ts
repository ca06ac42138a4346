/** Remembers for a time which keys have nothing, for a limited number of keys; the oldest ones are forgotten first. */
export class Misses {
  readonly #until = new Map<string, number>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `now` by `performance.now()`. */
  has(key: string, now: number): boolean {
    const until = this.#until.get(key);
    return until !== undefined && now < until;
  }

  add(key: string, until: number): void {
    this.#until.delete(key);
    this.#until.set(key, until);
    if (this.#until.size <= this.#limit) return;
    const oldest = this.#until.keys().next().value;
    if (oldest !== undefined) this.#until.delete(oldest);
  }
}
