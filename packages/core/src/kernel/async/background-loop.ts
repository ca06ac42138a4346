import { setTimeout as sleep } from "node:timers/promises";

/** Is notified of failures of repeated work. */
export interface FailureListener {
  /** Called when a failure begins, when another one follows, and every hour while it lasts. */
  onFailure?(error: unknown): void | Promise<void>;
  /** Called when the work succeeds again. */
  onRecovery?(): void;
  /** Milliseconds between reports of a lasting failure; default an hour */
  remindMs?: number;
}

/** Work that is repeated, even after a failure. */
export interface BackgroundTask extends FailureListener {
  /** Does the work once and returns the milliseconds until the next time. */
  runOnce(): Promise<number>;
  /** Milliseconds until the next try after a failure */
  retryMs: number;
  /** Milliseconds before the first time; default 0 */
  initialDelayMs?: number;
  /** Whether waiting keeps the process alive; default false */
  keepsProcessAlive?: boolean;
}

export interface BackgroundLoop {
  /** Aborted by `stop` */
  readonly signal: AbortSignal;
  /** Does nothing if it was called before. */
  start(): void;
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Repeats the work from `start` until `stop`. */
export function backgroundLoop(work: BackgroundTask): BackgroundLoop {
  const { retryMs, initialDelayMs = 0, keepsProcessAlive = false } = work;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;
  const failures = new FailureReports(work);

  async function run(): Promise<void> {
    for (let pause = initialDelayMs; ; ) {
      await sleep(pause, undefined, { signal, ref: keepsProcessAlive }).catch(() => {});
      if (signal.aborted) return;
      try {
        pause = await work.runOnce();
        failures.end();
      } catch (error) {
        pause = retryMs;
        await failures.report(error);
      }
    }
  }

  return {
    signal,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Reports failures as FailureListener describes, instead of each one. */
export class FailureReports {
  readonly #listener: FailureListener;
  /** When each kind of failure was last reported */
  readonly #reported = new Map<string, number>();

  constructor(listener: FailureListener) {
    this.#listener = listener;
  }

  async report(error: unknown): Promise<void> {
    const kind = kindOf(error);
    const now = performance.now();
    const { remindMs = 3_600_000 } = this.#listener;
    if (now - (this.#reported.get(kind) ?? Number.NEGATIVE_INFINITY) < remindMs) return;
    this.#reported.set(kind, now);
    await this.#listener.onFailure?.(error);
  }

  /** The work has succeeded. */
  end(): void {
    if (this.#reported.size > 0) this.#listener.onRecovery?.();
    this.#reported.clear();
  }
}

/** Failures with the same code are of one kind: their messages may name different things. */
const kindOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code ?? message);
};
