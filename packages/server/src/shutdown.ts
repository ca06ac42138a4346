const timeoutMs = 30_000;
const repeatWindowMs = 500;

/**
 * Runs `stop` on the first SIGINT, SIGTERM or SIGHUP (closed terminal) and then exits: with 0, or with 1 and one line on
 * standard error if it failed or took more than 30 s. A second SIGINT exits at once with 130.
 */
export function onShutdown(stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping: number | null = null;

  const handle = (signal: NodeJS.Signals) => {
    if (stopping === null) {
      stopping = performance.now();
      void run(stop, signal);
    } else if (signal === "SIGINT" && performance.now() - stopping > repeatWindowMs) {
      // npm forwards the terminal's Ctrl-C to its child, so one key press arrives twice; the repeat is ignored.
      process.exit(130);
    }
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  process.on("SIGHUP", handle);
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
