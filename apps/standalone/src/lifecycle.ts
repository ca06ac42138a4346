/** What has been started so far, so that a failure or a signal at any moment stops all of it, last come first gone. */
export class Lifecycle {
  readonly #stops: (() => Promise<void>)[] = [];
  #starting: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | null = null;

  /** True from the first call of stop(); what fails after it fails because of it. */
  get isStopping(): boolean {
    return this.signal.aborted;
  }

  /** Aborted by the first call of stop(). */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Starts a part and remembers how to stop it. Throws once stopping has begun. */
  async add<T>(start: () => Promise<T>, stop: (part: T) => Promise<void>): Promise<T> {
    this.#refuseWhenStopping();
    const starting = start();
    this.#starting = starting.then(
      (part) => this.#stops.unshift(() => stop(part)),
      () => undefined,
    );
    const part = await starting;
    this.#refuseWhenStopping();
    return part;
  }

  /** Waits for the part that is being started, then stops all of them. A failure of one spares the others nothing. */
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

  #refuseWhenStopping(): void {
    if (this.isStopping) throw new Error("Stopped while starting");
  }
}
