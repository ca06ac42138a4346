import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canMount, stopOnFullDisk } from "./chaos/disk.ts";
import { ChaosHarness } from "./chaos/harness.ts";
import { killService, killWorkers, stopDatabase, stopService } from "./chaos/scenarios.ts";

/** No click was lost; `uncut`: and no response was cut off. The lab's soak has more faults, and repeats them. */
const exact = expect.objectContaining({ lost: 0, verdict: "exact" });
const uncut = expect.objectContaining({ lost: 0, cut: 0, verdict: "exact" });

describe.each([1, 2])("with %i redirecting process(es), every answered click is counted once", (workers) => {
  let harness: ChaosHarness;
  beforeAll(async () => {
    harness = await ChaosHarness.open(workers);
  });
  afterAll(() => harness.close());

  if (workers > 1) {
    test("when a worker is killed while the others keep running", async () => {
      expect(await killWorkers(harness, "worker", 2, 0)).toEqual(exact);
    });
    return;
  }

  test("after a kill at a random moment", async () => {
    expect(await killService(harness, "kill", 1000)).toEqual(exact);
  });

  test("after SIGTERM under load, without cutting off a response", async () => {
    expect(await stopService(harness, "SIGTERM", 1000)).toEqual(uncut);
  });

  test("while the database is down under load, and after it is back", async () => {
    expect(await stopDatabase(harness, "database", 1000)).toEqual(uncut);
  });

  // Only root can mount a small disk.
  test.runIf(canMount).each([false, true])(
    "when the service is stopped while the click log's disk is full, and the database is away: %s",
    async (databaseAway) => {
      expect(await stopOnFullDisk(harness, "full disk", { answers: 3000, databaseAway })).toEqual(exact);
    },
  );
});
