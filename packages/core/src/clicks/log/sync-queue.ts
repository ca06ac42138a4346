import { close, fdatasync } from "node:fs";

interface Job {
  fd: number;
  sync: boolean;
  last: boolean;
  done: (() => void)[];
}

/**
 * Makes files durable, one after the other in the order asked. What is asked for a file while the disk is busy is
 * gathered into one sync: the group commit.
 */
export class SyncQueue {
  #waiting: Job[] = [];
  #busy = false;
  #idle: (() => void)[] = [];
  readonly #onResult: (error: Error | null, fd: number) => void;

  /** `onResult` hears how every sync went, before its callbacks run. */
  constructor(onResult: (error: Error | null, fd: number) => void) {
    this.#onResult = onResult;
  }

  /** Syncs (unless `sync` is false) what `fd` was given until now, runs `done` in any case, closes it if `last`. */
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

  /** Resolves when nothing is waiting and nothing is under way. */
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
