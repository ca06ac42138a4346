import { setTimeout as sleep } from "node:timers/promises";

/** Work that is repeated, also after it failed. */
export interface BackgroundTask {
  /** Does the work once and returns the milliseconds until the next time. */
  runOnce(): Promise<number>;
  /** Milliseconds until the next try after a failure */
  retryMs: number;
  /** Called when a failure begins, when another one follows, and every hour while it lasts. */
  onFailure(error: unknown): void | Promise<void>;
  /** Called when the work succeeds again. */
  onRecovery?(): void;
  /** Milliseconds before the first time; default 0 */
  initialDelayMs?: number;
  /** Whether waiting keeps the process alive; default true */
  keepsProcessAlive?: boolean;
  /** Milliseconds between reports of a lasting failure; default an hour */
  remindMs?: number;
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
  const { retryMs, initialDelayMs = 0, keepsProcessAlive = true, remindMs = 3_600_000 } = work;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;
  /** When each kind of failure was last reported */
  const reported = new Map<string, number>();

  async function report(error: unknown): Promise<void> {
    const kind = kindOf(error);
    const now = performance.now();
    if (now - (reported.get(kind) ?? Number.NEGATIVE_INFINITY) < remindMs) return;
    reported.set(kind, now);
    await work.onFailure(error);
  }

  async function run(): Promise<void> {
    for (let pause = initialDelayMs; ; ) {
      await sleep(pause, undefined, { signal, ref: keepsProcessAlive }).catch(() => {});
      if (signal.aborted) return;
      try {
        pause = await work.runOnce();
        if (reported.size > 0) work.onRecovery?.();
        reported.clear();
      } catch (error) {
        pause = retryMs;
        await report(error);
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

/** Failures with the same code are of one kind: their messages may name different things. */
const kindOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code ?? message);
};
