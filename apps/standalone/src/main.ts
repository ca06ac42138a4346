import { createDraining, type Draining, onShutdown, printable } from "@terse/server";
import { readListeningConfig, serviceManager } from "./config.ts";
import { explain } from "./explain.ts";
import { Lifecycle } from "./lifecycle.ts";
import { readOptions } from "./options.ts";
import { startService } from "./service.ts";

const lifecycle = new Lifecycle();

/** Until the service has started, a signal stops it at once. */
let draining: Draining = { drain: () => {}, drainDelay: 0 };
onShutdown(() => lifecycle.stop(), {
  drain: () => draining.drain(),
  get drainDelay() {
    return draining.drainDelay;
  },
});
// The service keeps running if the reader of its log goes away.
process.stdout.on("error", () => {});
process.on("uncaughtException", (error) => void fail(error));

try {
  const options = readOptions(process.argv.slice(2));
  const settings = await readListeningConfig();
  const manager = serviceManager();
  const { node, logger } = await startService(settings, lifecycle, options);
  draining = createDraining({ node, manager, settings, logger });
  manager.ready();
} catch (error) {
  // If a signal arrived during the start, onShutdown ends the process.
  if (!lifecycle.isStopping) await fail(error);
}

async function fail(reason: unknown): Promise<never> {
  process.stderr.write(`${printable(explain(reason))}\n`);
  await lifecycle.stop().catch((failure: unknown) => process.stderr.write(`${explain(failure)}\n`));
  process.exit(1);
}
