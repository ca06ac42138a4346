/** Questions under way: who asks what is being asked already shares the answer. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  get size(): number {
    return this.#running.size;
  }

  /** `keep` gets the answer unless it may be out of date by then, see `drop`. */
  run(key: string, ask: () => Promise<T>, keep: (answer: T) => void = () => {}): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const load = ask()
      .then((answer) => {
        if (this.#running.get(key) === load) keep(answer);
        return answer;
      })
      .finally(() => {
        if (this.#running.get(key) === load) this.#running.delete(key);
      });
    this.#running.set(key, load);
    return load;
  }

  /** Something changed: the answer that is under way is for those who wait for it, and for nobody else. */
  invalidate(key: string): void {
    this.#running.delete(key);
  }

  invalidateAll(): void {
    this.#running.clear();
  }
}
