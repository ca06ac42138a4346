import { AppError } from "../kernel/errors.ts";
import { databaseUnavailable, isDatabaseUnavailable } from "./errors.ts";

/** Time limit of a query, including the wait for a connection */
const timeoutMs = 2000;
/** Minimum time between a failed query and the next try */
const pauseMs = 250;

/**
 * Fails fast while the database is unreachable: after a failed query only one caller at a time tries again, all others
 * get 503.
 */
export class CircuitBreaker {
  #failed = false;
  /** By `performance.now()`, which clock changes do not affect */
  #until = 0;

  /** True while all calls are refused. */
  get isOpen(): boolean {
    return performance.now() < this.#until;
  }

  /** Runs the query; 503 if the database is unreachable. */
  async run<T>(query: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw unavailable();
    if (this.#failed) this.#until = performance.now() + timeoutMs;
    try {
      const result = await inTime(query());
      this.#close();
      return result;
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

async function inTime<T>(result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), timeoutMs);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

export const isUnavailable = (error: unknown) =>
  error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";

export const unavailable = (cause?: unknown) =>
  new AppError("SERVICE_UNAVAILABLE", databaseUnavailable.message, {
    retryAfter: databaseUnavailable.retryAfter,
    cause,
  });
