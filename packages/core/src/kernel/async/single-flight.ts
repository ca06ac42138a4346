/** Runs one request per key at a time; identical requests share its result. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  get size(): number {
    return this.#running.size;
  }

  /** Calls `keep` with the result, unless the key was invalidated meanwhile. */
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
