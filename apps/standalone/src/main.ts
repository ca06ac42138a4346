import { onShutdown } from "@terse/server";
import { readListeningConfig } from "./config.ts";
import { explain } from "./explain.ts";
import { Lifecycle } from "./lifecycle.ts";
import { startService } from "./service.ts";

const parts = new Lifecycle();

onShutdown(() => parts.stop());
// The service outlives whoever reads its log.
process.stdout.on("error", () => {});
process.on("uncaughtException", (error) => void fail(error));

try {
  await startService(await readListeningConfig(), parts);
} catch (error) {
  // When a signal came in the middle of the start, onShutdown ends the process.
  if (!parts.isStopping) await fail(error);
}

async function fail(reason: unknown): Promise<never> {
  process.stderr.write(`${explain(reason)}\n`);
  await parts.stop().catch((failure: unknown) => process.stderr.write(`${explain(failure)}\n`));
  process.exit(1);
}
