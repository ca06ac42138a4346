import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@terse/testkit";
import type { Row } from "./counts.ts";
import type { Stage } from "./harness.ts";

const call = promisify(execFile);
const folderOf = (stage: Stage) => join(stage.dataDir, "clicks");

/** Only root may mount a file system of its own, and only where the system has tmpfs. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** Starts the service with a click log that cannot be written, mends that under load, and looks whether all is counted. */
export async function blockFolder(stage: Stage, what: string, answers: number): Promise<Row> {
  const folder = folderOf(stage);
  await stage.service.stop("SIGTERM");
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "where the folder belongs");
  await stage.start();
  const before = await stage.counts();
  const load = await stage.follow(answers);
  await rm(folder);
  await until(() => load.answered > 2 * answers);
  await load.stop();
  return stage.verdict(what, load, before);
}

/** Gives the click log a disk of 1 MiB, fills that under load, makes room again, and looks whether all is counted. */
export async function fillDisk(stage: Stage, what: string, answers: number): Promise<Row> {
  const folder = folderOf(stage);
  await stage.service.stop("SIGTERM");
  await mkdir(folder, { recursive: true });
  await call("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  try {
    await stage.start();
    const before = await stage.counts();
    const load = await stage.follow(100);
    const filler = join(folder, "filler");
    await writeFile(filler, Buffer.alloc(1_048_576)).catch(() => {});
    const { answered } = load;
    await until(() => load.answered > answered + answers);
    await rm(filler);
    await load.stop();
    return await stage.verdict(what, load, before);
  } finally {
    await stage.service.stop("SIGTERM");
    await call("umount", [folder]);
    await stage.start();
  }
}
