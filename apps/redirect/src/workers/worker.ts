import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, exitBecause, onShutdown } from "@terse/server";
import { readConfig } from "../config.ts";
import { openCore } from "../open-core.ts";
import { serveHere } from "../serve.ts";
import { messages } from "./messages.ts";

/** How long the others may take to close the port; nobody says when they have, once the main process is gone. */
const closingMs = 2000;
const aloneMs = 500;

/** One of several processes that redirect. The main process counts what this one logs. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL }).child({ worker: process.pid });
  const core = await openCore(settings, logger, { poolSize: 5 });
  const listener = await serveHere({ core, settings, logger }, { othersClosed });
  onShutdown(async () => {
    await listener.close();
    await core.close();
  });
  process.send?.(messages.ready);
}

async function othersClosed(): Promise<void> {
  if (!process.connected) {
    await sleep(aloneMs);
    return;
  }
  const released = new Promise<void>((resolve) => {
    process.on("message", (message) => message === messages.release && resolve());
    process.once("disconnect", resolve);
  });
  process.send?.(messages.closed);
  await Promise.race([released, sleep(closingMs, undefined, { ref: false })]);
}

// A main process that was killed tells nobody to stop.
cluster.worker?.on("disconnect", () => {
  // Else the cluster module ends this process here and now, with requests under way.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.kill(process.pid, "SIGTERM");
});

await main().catch(exitBecause);
