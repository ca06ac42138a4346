import cluster from "node:cluster";
import { createLogger, onShutdown } from "@terse/server";
import { readConfig } from "../config.ts";
import { explain } from "../explain.ts";
import { openCore } from "../open-core.ts";
import { serveHere } from "../serve.ts";
import { readyMessage } from "./run.ts";

/** One of several processes that redirect. The main process counts what this one logs. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL }).child({ worker: process.pid });
  const core = await openCore(settings, logger, { poolSize: 5 });
  const listener = await serveHere({ core, settings, logger }, true);
  onShutdown(async () => {
    await listener.close();
    await core.close();
  });
  process.send?.(readyMessage);
}

// A terminal window that is closed tells everybody; a main process that was killed tells nobody.
const stop = () => void process.kill(process.pid, "SIGTERM");
process.on("SIGHUP", stop);
cluster.worker?.on("disconnect", () => {
  // Else the cluster module ends this process here and now, with requests under way.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  stop();
});

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
