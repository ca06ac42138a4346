import { execFile } from "node:child_process";
import { access, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@terse/testkit";
import type { Row } from "./counts.ts";
import type { ChaosHarness } from "./harness.ts";

const call = promisify(execFile);
export const folderOf = (harness: ChaosHarness) => join(harness.dataDir, "clicks");

/** Only root can mount a file system, and only Linux has tmpfs. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0;

/**
 * Fills the disk of the click log under load, and stops the service with SIGTERM while clicks wait in memory. Then there is room
 * again, the service starts, and the counts are compared. With `databaseAway`, only the disk's reserve can take the clicks.
 */
export async function stopOnFullDisk(
  harness: ChaosHarness,
  what: string,
  { answers, databaseAway }: { answers: number; databaseAway: boolean },
): Promise<Row> {
  return onDisk(harness, "128m", async (folder) => {
    const before = await harness.counts();
    const load = await harness.follow(100);
    await until(() =>
      access(join(folder, "reserve")).then(
        () => true,
        () => false,
      ),
    );
    const filler = await open(join(folder, "filler"), "w");
    await (async () => {
      for (;;) await filler.write(Buffer.alloc(65_536));
    })().catch(() => filler.close());
    if (databaseAway) await harness.stopDatabase();
    const { answered } = load;
    await until(() => load.answered > answered + answers);
    await harness.service.stop("SIGTERM");
    await load.stop();
    if (databaseAway) await harness.startDatabase();
    await rm(join(folder, "filler"));
    await harness.start();
    return harness.verdict(what, load, before);
  });
}

/** Runs a trial with the service's click log on a disk of its own, and then starts the service without that disk. */
export async function onDisk(
  harness: ChaosHarness,
  size: string,
  trial: (folder: string) => Promise<Row>,
): Promise<Row> {
  const folder = folderOf(harness);
  await harness.service.stop("SIGTERM");
  await mkdir(folder, { recursive: true });
  await call("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  try {
    await harness.start();
    return await trial(folder);
  } finally {
    await harness.service.stop("SIGTERM");
    await call("umount", [folder]);
    await harness.start();
  }
}
