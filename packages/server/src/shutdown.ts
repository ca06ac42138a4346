const timeoutMs = 30_000;
const repeatWindowMs = 500;

/** What happens between a SIGTERM and the stop, while requests are still answered. */
export interface Draining {
  /** Tells proxies to send requests elsewhere. Also called for other signals, which stop at once. */
  drain(): void;
  /** Seconds that they get */
  drainDelay: number;
}

/**
 * Runs `stop` on the first SIGINT, SIGTERM or SIGHUP (closed terminal) and then exits: with 0, or with 1 and one line on
 * standard error if it failed or took more than 30 s. Only a SIGTERM, which no person at a terminal waits for, leaves time for
 * `draining`. A second SIGINT exits at once with 130. Returns a function that stops at once.
 */
export function onShutdown(
  stop: (signal: NodeJS.Signals) => Promise<void>,
  draining: Draining = { drain: () => {}, drainDelay: 0 },
): () => void {
  let stopping: number | null = null;
  let waiting: NodeJS.Timeout | undefined;
  let isRunning = false;

  const begin = (signal: NodeJS.Signals) => {
    clearTimeout(waiting);
    if (isRunning) return;
    isRunning = true;
    void run(stop, signal);
  };
  const handle = (signal: NodeJS.Signals) => {
    if (stopping === null) {
      stopping = performance.now();
      draining.drain();
      if (signal !== "SIGTERM" || draining.drainDelay === 0) return begin(signal);
      waiting = setTimeout(() => begin(signal), draining.drainDelay * 1000);
    } else if (signal === "SIGINT" && !isRunning) {
      begin(signal);
    } else if (signal === "SIGINT" && performance.now() - stopping > repeatWindowMs) {
      // npm forwards the terminal's Ctrl-C to its child, so one key press arrives twice; the repeat is ignored.
      process.exit(130);
    }
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  process.on("SIGHUP", handle);
  return () => {
    stopping ??= performance.now();
    begin("SIGTERM");
  };
}

async function run(stop: (signal: NodeJS.Signals) => Promise<void>, signal: NodeJS.Signals): Promise<void> {
  setTimeout(() => fail(`not finished after ${timeoutMs / 1000} seconds`), timeoutMs).unref();
  try {
    await stop(signal);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  process.exit(0);
}

function fail(reason: string): never {
  process.stderr.write(`Stopping failed: ${reason.replaceAll(/\s+/g, " ")}\n`);
  process.exit(1);
}
