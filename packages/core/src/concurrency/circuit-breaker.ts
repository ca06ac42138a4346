import { AppError } from "../kernel/errors.ts";
import { databaseUnavailable, isDatabaseUnavailable } from "../db/driver-errors.ts";

/** How long a question may take, the wait for a connection included. */
const patienceMs = 2000;
/** After the database did not answer, it is asked again no sooner than this. */
const pauseMs = 250;

/**
 * Spares whoever would wait for a database that is away: after a question without an answer all others are refused,
 * but for one at a time that finds out whether it is back.
 */
export class CircuitBreaker {
  #failed = false;
  /** By `performance.now()`, which no change of the clock moves */
  #until = 0;

  /** True while nobody is asked. */
  get isOpen(): boolean {
    return performance.now() < this.#until;
  }

  /** The answer, or 503. */
  async run<T>(question: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw unavailable();
    if (this.#failed) this.#until = performance.now() + patienceMs;
    try {
      const answer = await inTime(question());
      this.#close();
      return answer;
    } catch (error) {
      if (!isUnavailable(error) && !isDatabaseUnavailable(error)) {
        this.#close();
        throw error;
      }
      this.#failed = true;
      this.#until = performance.now() + pauseMs;
      throw unavailable(error);
    }
  }

  #close(): void {
    this.#failed = false;
    this.#until = 0;
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), patienceMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

export const isUnavailable = (error: unknown) =>
  error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";

export const unavailable = (cause?: unknown) =>
  new AppError("SERVICE_UNAVAILABLE", databaseUnavailable.message, {
    retryAfter: databaseUnavailable.retryAfter,
    cause,
  });
