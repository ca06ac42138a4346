import { close, fdatasync } from "node:fs";

interface Job {
  fd: number;
  sync: boolean;
  last: boolean;
  done: (() => void)[];
}

/**
 * Syncs files one after the other, in order. Requests for a file that arrive while the disk is busy share one sync (group
 * commit).
 */
export class SyncQueue {
  #waiting: Job[] = [];
  #busy = false;
  #idle: (() => void)[] = [];
  readonly #onResult: (error: Error | null, fd: number) => void;

  /** `onResult` is called with the result of every sync, before its callbacks. */
  constructor(onResult: (error: Error | null, fd: number) => void) {
    this.#onResult = onResult;
  }

  /** Syncs everything written to `fd` so far, unless `sync` is false; then calls `done` in any case; closes it if `last`. */
  add(fd: number, { sync = true, last = false, done = () => {} } = {}): void {
    const job = this.#waiting.at(-1);
    if (job?.fd === fd) {
      job.sync ||= sync;
      job.last ||= last;
      job.done.push(done);
    } else {
      this.#waiting.push({ fd, sync, last, done: [done] });
    }
    if (!this.#busy) this.#next();
  }

  /** Resolves when the queue is empty and no sync is running. */
  async idle(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    const job = this.#waiting.shift();
    this.#busy = job !== undefined;
    if (!job) {
      for (const resolve of this.#idle.splice(0)) resolve();
    } else if (job.sync) {
      fdatasync(job.fd, (error) => this.#finish(job, error));
    } else {
      this.#finish(job);
    }
  }

  #finish(job: Job, result?: Error | null): void {
    if (result !== undefined) this.#onResult(result, job.fd);
    for (const done of job.done) done();
    if (job.last) close(job.fd, () => this.#next());
    else this.#next();
  }
}
