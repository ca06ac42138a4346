import { setTimeout as sleep } from "node:timers/promises";

/** Work that is done again and again, whatever becomes of it. */
export interface BackgroundTask {
  /** Does it once; answers how many milliseconds later it is done again. */
  runOnce(): Promise<number>;
  /** Milliseconds until it is tried again where it failed */
  retryMs: number;
  /** Hears of a failure when it begins, when there is another one, and every hour while it lasts. */
  onFailure(error: unknown): void | Promise<void>;
  /** Hears that it works again. */
  onRecovery?(): void;
  /** Milliseconds until it is done first; default 0 */
  initialDelayMs?: number;
  /** Whether waiting keeps the process alive; default true */
  keepsProcessAlive?: boolean;
  /** How often lasting trouble is told of; default an hour */
  remindMs?: number;
}

export interface BackgroundLoop {
  /** Aborted when it is to stop */
  readonly signal: AbortSignal;
  /** Again does nothing. */
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Does the work from `start` on until `stop`. */
export function backgroundLoop(work: BackgroundTask): BackgroundLoop {
  const {
    retryMs,
    initialDelayMs: firstMs = 0,
    keepsProcessAlive: keepsAlive = true,
    remindMs = 3_600_000,
  } = work;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;
  /** When each trouble was told of, by what kind it is */
  const told = new Map<string, number>();

  async function tell(error: unknown): Promise<void> {
    const kind = kindOf(error);
    const now = performance.now();
    if (now - (told.get(kind) ?? Number.NEGATIVE_INFINITY) < remindMs) return;
    told.set(kind, now);
    await work.onFailure(error);
  }

  async function run(): Promise<void> {
    for (let pause = firstMs; ; ) {
      await sleep(pause, undefined, { signal, ref: keepsAlive }).catch(() => {});
      if (signal.aborted) return;
      try {
        pause = await work.runOnce();
        if (told.size > 0) work.onRecovery?.();
        told.clear();
      } catch (error) {
        pause = retryMs;
        await tell(error);
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

/** Two failures of one code are one trouble: messages may name what is another each time. */
const kindOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code ?? message);
};
