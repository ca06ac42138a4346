import cluster from "node:cluster";
import { expect, it, onTestFinished } from "vitest";
import { startWorker } from "../src/workers/worker-process.ts";

it("a worker that cannot be started counts as ended, however Node reports it", async () => {
  // Node throws some errors at once (here: too large an environment) and emits others later.
  const atOnce = startWorker({ LARGE: "x".repeat(4_000_000) });
  onTestFinished(() => cluster.setupPrimary({ cwd: process.cwd() }));
  cluster.setupPrimary({ cwd: "/no/such/folder" });
  const later = startWorker({});
  for (const [run, reason] of [
    [later, "ENOENT"],
    [atOnce, "E2BIG"],
  ] as const) {
    await expect(run.ready).rejects.toThrow(reason);
    expect(await run.ended).toContain(reason);
    await run.closed;
    expect(run.wasReady).toBe(false);
    run.release();
    run.signal("SIGTERM");
  }
});
