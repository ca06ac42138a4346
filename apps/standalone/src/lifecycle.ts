/** Tracks what has been started, so that a failure or signal at any time stops all of it, in reverse order. */
export class Lifecycle {
  readonly #stops: (() => Promise<void>)[] = [];
  #starting: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | null = null;

  /** True from the first call of stop(); later failures are a consequence of it. */
  get isStopping(): boolean {
    return this.signal.aborted;
  }

  /** Aborted by the first call of stop(). */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Starts a component and remembers how to stop it. Throws if stopping has begun. */
  async add<T>(start: () => Promise<T>, stop: (component: T) => Promise<void>): Promise<T> {
    this.#throwIfStopping();
    const starting = start();
    this.#starting = starting.then(
      (component) => this.#stops.unshift(() => stop(component)),
      () => undefined,
    );
    const component = await starting;
    this.#throwIfStopping();
    return component;
  }

  /** Waits for a component that is being started, then stops all of them, even if some fail to stop. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return (this.#stopped ??= this.#stopAll());
  }

  async #stopAll(): Promise<void> {
    await this.#starting;
    const failures: unknown[] = [];
    for (const stop of this.#stops) await stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  #throwIfStopping(): void {
    if (this.isStopping) throw new Error("Stopped while starting");
  }
}
