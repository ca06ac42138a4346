/** Runs one request per key at a time; identical requests share its result. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  get size(): number {
    return this.#running.size;
  }

  /** Calls `keep` with the result, unless the key was invalidated in the meantime. */
  run(key: string, request: () => Promise<T>, keep: (result: T) => void = () => {}): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const current = request()
      .then((result) => {
        if (this.#running.get(key) === current) keep(result);
        return result;
      })
      .finally(() => {
        if (this.#running.get(key) === current) this.#running.delete(key);
      });
    this.#running.set(key, current);
    return current;
  }

  /** After a change: callers that already wait get the running request, later callers a new one. */
  invalidate(key: string): void {
    this.#running.delete(key);
  }

  invalidateAll(): void {
    this.#running.clear();
  }
}

/** Coalesces identical requests; a waiter never gets a result computed before it asked. */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<T>>();

  /** Requests that arrive while one with the same key runs share the next run, and its failure. */
  run(key: string, make: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key);
    if (next !== undefined) return next;
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, make);
    const after = running.then(() => {
      this.#next.delete(key);
      return this.#run(key, make);
    });
    this.#next.set(key, after);
    return after;
  }

  #run(key: string, make: () => Promise<T>): Promise<T> {
    const result = make();
    const end = () => void this.#running.delete(key);
    this.#running.set(key, result.then(end, end));
    return result;
  }
}
