import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "./chaos/counts.ts";
import { blockFolder, canMount, fillDisk } from "./chaos/disk.ts";
import { Stage } from "./chaos/harness.ts";
import {
  killMain,
  killQuietService,
  killService,
  killWorkers,
  stopDatabase,
  stopService,
} from "./chaos/scenarios.ts";

/** Nothing was lost and nothing was cut off, except by a kill. */
const exact = expect.objectContaining({ lost: 0, verdict: "exact" });
const uncut = expect.objectContaining({ lost: 0, cut: 0, verdict: "exact" });

/** What holds with any number of processes that redirect. */
function countsEveryClick(workers: number, kills: number, also: (stage: () => Stage) => void) {
  describe(`with ${workers} redirecting, every click that was answered is counted once`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.open(workers);
    });
    afterAll(() => stage.close());

    test("after kills at random moments, and after one when all clients had been answered", async () => {
      const rows: Row[] = [];
      for (let kill = 1; kill <= kills; kill++) rows.push(await killService(stage, `kill ${kill}`, 1000));
      const quiet = await killQuietService(stage, "quiet kill", 1000);
      expect([rows, quiet]).toEqual([rows.map(() => exact), uncut]);
    });

    test("after SIGTERM under load, which cuts no answer off", async () => {
      expect(await stopService(stage, "SIGTERM", 1000)).toEqual(uncut);
    });

    test("while the database is away under load, and after it is back", async () => {
      expect(await stopDatabase(stage, "database", 1000)).toEqual(uncut);
    });

    also(() => stage);
  });
}

countsEveryClick(1, 3, (stage) => {
  test("when the folder of the click log cannot be written for a while", async () => {
    expect(await blockFolder(stage(), "folder", 1000)).toEqual(uncut);
  });

  // A small disk of its own takes a root user to mount.
  if (canMount) {
    test("when the disk of the click log is full for a while", async () => {
      expect(await fillDisk(stage(), "disk", 1000)).toEqual(uncut);
    });
  }
});

countsEveryClick(2, 1, (stage) => {
  test("when a worker is killed, while the others go on", async () => {
    expect(await killWorkers(stage(), "worker", 2, 0)).toEqual(exact);
  });

  test("when the main process is killed, and its workers leave in good order", async () => {
    expect(await killMain(stage(), "main process", 1000)).toEqual(uncut);
  });
});
