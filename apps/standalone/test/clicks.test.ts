import { afterAll, beforeAll, describe, expect, test, type TestOptions } from "vitest";
import { blockFolder, canMount, fillDisk, stopOnFullDisk } from "./chaos/disk.ts";
import { ChaosHarness } from "./chaos/harness.ts";
import {
  killMain,
  killQuietService,
  killService,
  killWorkers,
  stopDatabase,
  stopService,
} from "./chaos/scenarios.ts";

/** No click was lost; `uncut`: and no response was cut off. */
const exact = expect.objectContaining({ lost: 0, verdict: "exact" });
const uncut = expect.objectContaining({ lost: 0, cut: 0, verdict: "exact" });

const long = { tags: ["long"] };

/** The tests for any number of redirecting processes, and more for some. */
function countsEveryClick(
  workers: number,
  options: TestOptions,
  more: (harness: () => ChaosHarness) => void,
) {
  describe(`with ${workers} redirecting process(es), every answered click is counted once`, () => {
    let harness: ChaosHarness;
    beforeAll(async () => {
      harness = await ChaosHarness.open(workers);
    });
    afterAll(() => harness.close());

    test("after a kill at a random moment", options, async () => {
      expect(await killService(harness, "kill", 1000)).toEqual(exact);
    });

    test("after a kill when no request was pending", long, async () => {
      expect(await killQuietService(harness, "quiet kill", 1000)).toEqual(uncut);
    });

    test("after SIGTERM under load, without cutting off a response", options, async () => {
      expect(await stopService(harness, "SIGTERM", 1000)).toEqual(uncut);
    });

    test("while the database is down under load, and after it is back", options, async () => {
      expect(await stopDatabase(harness, "database", 1000)).toEqual(uncut);
    });

    more(() => harness);
  });
}

countsEveryClick(1, {}, (harness) => {
  test("when the click log's folder is not writable for a while", long, async () => {
    expect(await blockFolder(harness(), "folder", 1000)).toEqual(uncut);
  });

  // Only root can mount a small disk.
  if (canMount) {
    test("when the click log's disk is full for a while", long, async () => {
      expect(await fillDisk(harness(), "disk", 1000)).toEqual(uncut);
    });

    test.each([false, true])(
      "when the service is stopped while the click log's disk is full, and the database is away: %s",
      async (databaseAway) => {
        expect(await stopOnFullDisk(harness(), "full disk", { answers: 3000, databaseAway })).toEqual(exact);
      },
    );
  }
});

countsEveryClick(0, long, () => {});

countsEveryClick(2, long, (harness) => {
  test("when a worker is killed while the others keep running", async () => {
    expect(await killWorkers(harness(), "worker", 2, 0)).toEqual(exact);
  });

  test("when the main process is killed and its workers finish and exit", long, async () => {
    expect(await killMain(harness(), "main process", 1000)).toEqual(uncut);
  });
});
