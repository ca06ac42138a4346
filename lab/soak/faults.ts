import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../packages/testkit/src/index.ts";
import type { Row } from "../../apps/standalone/test/chaos/counts.ts";
import { folderOf, onDisk } from "../../apps/standalone/test/chaos/disk.ts";
import type { ChaosHarness } from "../../apps/standalone/test/chaos/harness.ts";
import { withoutStalls, workersOf } from "../../apps/standalone/test/chaos/scenarios.ts";

/** Faults besides those that the service's own tests have. */

/** Starts the service with an unwritable click log, fixes it under load, and compares the counts. */
export async function blockFolder(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  const folder = folderOf(harness);
  await harness.service.stop("SIGTERM");
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "in place of the folder");
  await harness.start();
  const before = await harness.counts();
  const load = await harness.follow(answers);
  await rm(folder);
  await until(() => load.answered > 2 * answers);
  await load.stop();
  return harness.verdict(what, load, before);
}

/** Puts the click log on a disk of 1 MiB, fills it under load, frees it again, and compares the counts. */
export async function fillDisk(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  return onDisk(harness, "1m", async (folder) => {
    const before = await harness.counts();
    const load = await harness.follow(100);
    const filler = join(folder, "filler");
    await writeFile(filler, Buffer.alloc(1_048_576)).catch(() => {});
    const { answered } = load;
    await until(() => load.answered > answered + answers);
    await rm(filler);
    await load.stop();
    return harness.verdict(what, load, before);
  });
}

/** Kills all processes of the service after all clients have received their responses, so every click must be counted. */
export async function killQuietService(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  const before = await harness.counts();
  const load = await harness.follow(answers);
  await load.stop();
  await harness.service.stop("SIGKILL", "group");
  await harness.start();
  return harness.verdict(what, load, before);
}

/** Kills only the main process; its workers finish their requests and exit. */
export function killMain(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  return withoutStalls(async () => {
    const before = await harness.counts();
    const workers = await workersOf(harness);
    const load = await harness.follow(answers);
    await harness.service.stop("SIGKILL");
    await load.stop();
    await until(() => !workers.some(isAlive));
    await harness.start();
    return harness.verdict(what, load, before);
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
