/** Something that shares capacity with others, such as one client. A weight of 10 entitles it to ten times as much. */
export interface Share {
  readonly key: string;
  readonly weight: number;
}

interface Limits {
  /** Jobs that run at a time */
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** Makes the error of a job that finds no place in the queue */
  readonly refusal: () => Error;
}

interface Waiting {
  readonly isLast: boolean;
  readonly tag: number;
  readonly go: () => void;
  readonly refuse: () => void;
}

/**
 * Runs a few jobs at a time and queues a limited number of others fairly: a share that sends many jobs delays and displaces
 * its own, not those of others. This is self-clocked fair queueing (Golestani, 1994) with several shares per job.
 */
export class FairQueue {
  readonly #limits: Limits;
  /** Each share's use so far; kept only while it has jobs */
  readonly #used = new Map<string, { tag: number; jobs: number }>();
  /** In the order in which jobs run */
  readonly #waiting: Waiting[] = [];
  #running = 0;
  /** The tag of the latest job that began: new shares begin here, so that they cannot starve older ones */
  #now = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs a job on behalf of its shares; rejects if jobs with a better claim fill the queue. Jobs that are `isLast`
   * wait behind all others, and share the remaining capacity.
   */
  async run<T>(given: readonly Share[], job: () => Promise<T>, isLast = false): Promise<T> {
    const shares = isLast ? given.map(({ key, weight }) => ({ key: `last: ${key}`, weight })) : given;
    const tag = this.#enter(shares);
    if (this.#running < this.#limits.atOnce) this.#begin(tag);
    else {
      await this.#wait(tag, isLast).catch((refusal: unknown) => {
        this.#leave(shares, 1);
        throw refusal;
      });
    }
    try {
      return await job();
    } finally {
      this.#leave(shares, 0);
      this.#end();
    }
  }

  /** Returns the job's position in the order: after all jobs that its shares have already asked for. */
  #enter(shares: readonly Share[]): number {
    let last = this.#now;
    for (const { key, weight } of shares) {
      const { tag, jobs } = this.#used.get(key) ?? { tag: 0, jobs: 0 };
      const used = { tag: Math.max(tag, this.#now) + 1 / weight, jobs: jobs + 1 };
      this.#used.set(key, used);
      last = Math.max(last, used.tag);
    }
    return last;
  }

  /** `refused` jobs were not run and are not charged for. */
  #leave(shares: readonly Share[], refused: 0 | 1): void {
    for (const { key, weight } of shares) {
      const used = this.#used.get(key);
      if (used === undefined) continue;
      used.tag -= refused / weight;
      used.jobs -= 1;
      if (used.jobs === 0) this.#used.delete(key);
    }
  }

  #begin(tag: number): void {
    this.#running += 1;
    this.#now = Math.max(this.#now, tag);
  }

  #end(): void {
    this.#running -= 1;
    this.#waiting.shift()?.go();
  }

  #wait(tag: number, isLast: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isLast,
        tag,
        go: () => {
          this.#begin(tag);
          resolve();
        },
        refuse: () => reject(this.#limits.refusal()),
      };
      const position = this.#waiting.findIndex((queued) =>
        queued.isLast === isLast ? queued.tag > tag : queued.isLast,
      );
      this.#waiting.splice(position === -1 ? this.#waiting.length : position, 0, waiting);
      if (this.#waiting.length > this.#limits.maxWaiting) this.#waiting.pop()?.refuse();
    });
  }
}
