const hardLimitMs = 30_000;
const echoMs = 500;

/**
 * Runs `stop` once on the first SIGINT, SIGTERM or SIGHUP (a terminal that was closed) and then exits: 0, or 1 with one line on standard error if it
 * failed or took more than 30 s. A second SIGINT exits at once with 130.
 */
export function onShutdown(stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping: number | null = null;

  const handle = (signal: NodeJS.Signals) => {
    if (stopping === null) {
      stopping = performance.now();
      void run(stop, signal);
    } else if (signal === "SIGINT" && performance.now() - stopping > echoMs) {
      // npm repeats the terminal's own Ctrl-C to its child, so that one press arrives twice: that is an echo.
      process.exit(130);
    }
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  process.on("SIGHUP", handle);
}

async function run(stop: (signal: NodeJS.Signals) => Promise<void>, signal: NodeJS.Signals): Promise<void> {
  setTimeout(() => fail(`not done after ${hardLimitMs / 1000} seconds`), hardLimitMs).unref();
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
