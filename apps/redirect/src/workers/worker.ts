import type { SendHandle } from "node:child_process";
import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Checks } from "@terse/core/redirect";
import {
  createNodeLogger,
  createNode,
  exitBecause,
  type ListeningSocket,
  measurements,
  onShutdown,
  startTelemetry,
  reportStalls,
} from "@terse/server";
import { inheritsSocket, readConfig } from "../config.ts";
import { openCore } from "../core.ts";
import { serveHere } from "../serve.ts";
import { forgetStart, makeSmallProcess } from "../small-process.ts";
import { isMainReport, reportMs } from "./reports.ts";
import { messages } from "./worker-process.ts";

/** Time that the other workers get to close the port; without the main process there is no signal that they have. */
const othersTimeoutMs = 2000;
const orphanWaitMs = 500;

/** Stops without waiting for DRAIN_DELAY; undefined until the worker listens */
let stopNow: (() => void) | undefined;

/** One of several redirecting processes. The main process counts the clicks that this one logs. */
async function main(): Promise<void> {
  makeSmallProcess();
  const settings = readConfig();
  const telemetry = await startTelemetry(settings);
  const logger = createNodeLogger(settings, telemetry).child({ worker: process.pid });
  reportStalls(logger);
  const core = await openCore(settings, logger, telemetry.tracer);
  const node = createNode();
  const own = { checks: () => core.state.checks(), metrics: measurements(core) };
  node.add(own);
  let mainChecks: Checks = {};
  node.add({ checks: () => mainChecks, metrics: () => [] });
  forgetStart();
  const socket = inheritsSocket() ? await inheritSocket() : undefined;
  const opened = (fresh: ListeningSocket) =>
    void process.send?.(messages.socketOpened, fresh as unknown as SendHandle);
  const listener = await serveHere({ core, settings, logger, node }, { othersClosed, socket, opened });
  node.opened();
  stopNow = onShutdown(
    async () => {
      await listener.close();
      await core.close();
      await telemetry.close();
    },
    { drain: () => node.drain(), drainDelay: settings.DRAIN_DELAY },
  );
  process.on("message", (message) => {
    if (message === messages.stop) stopNow?.();
    if (!isMainReport(message)) return;
    mainChecks = message.main.checks;
    if (message.main.isDraining) node.drain();
  });
  const report = () =>
    process.connected && process.send?.({ report: { checks: own.checks(), metrics: own.metrics() } });
  setInterval(report, reportMs).unref();
  report();
  process.send?.(messages.ready);
}

/** Asks the main process for the socket of the worker that this one replaces. */
function inheritSocket(): Promise<ListeningSocket | undefined> {
  const received = new Promise<ListeningSocket | undefined>((resolve) => {
    process.on("message", (message, socket) => {
      if (message === messages.socketWanted) resolve(socket as unknown as ListeningSocket | undefined);
    });
  });
  process.send?.(messages.socketWanted);
  return received;
}

async function othersClosed(): Promise<void> {
  if (!process.connected) {
    await sleep(orphanWaitMs);
    return;
  }
  const released = new Promise<void>((resolve) => {
    process.on("message", (message) => message === messages.release && resolve());
    process.once("disconnect", resolve);
  });
  process.send?.(messages.closed);
  await Promise.race([released, sleep(othersTimeoutMs, undefined, { ref: false })]);
}

// A killed main process sends no signal to its workers.
cluster.worker?.on("disconnect", () => {
  // Otherwise the cluster module exits this process at once, with requests in progress.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  if (stopNow) stopNow();
  else process.kill(process.pid, "SIGTERM");
});

await main().catch(exitBecause);
