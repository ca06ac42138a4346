import { setTimeout as sleep } from "node:timers/promises";

/** Work that is done again and again, whatever becomes of it. */
export interface Work {
  /** Does it once; answers how many milliseconds later it is done again. */
  once(): Promise<number>;
  /** Milliseconds until it is tried again where it failed */
  retryMs: number;
  /** Hears of a failure when it begins, when there is another one, and every hour while it lasts. */
  onTrouble(error: unknown): void | Promise<void>;
  /** Hears that it works again. */
  onMended?(): void;
  /** Milliseconds until it is done first; default 0 */
  firstMs?: number;
  /** Whether waiting keeps the process alive; default true */
  keepsAlive?: boolean;
  /** How often lasting trouble is told of; default an hour */
  remindMs?: number;
}

export interface KeptDoing {
  /** Aborted when it is to stop */
  readonly signal: AbortSignal;
  /** Again does nothing. */
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Does the work from `start` on until `stop`. */
export function keepDoing(work: Work): KeptDoing {
  const { retryMs, firstMs = 0, keepsAlive = true, remindMs = 3_600_000 } = work;
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
    await work.onTrouble(error);
  }

  async function run(): Promise<void> {
    for (let pause = firstMs; ; ) {
      await sleep(pause, undefined, { signal, ref: keepsAlive }).catch(() => {});
      if (signal.aborted) return;
      try {
        pause = await work.once();
        if (told.size > 0) work.onMended?.();
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
