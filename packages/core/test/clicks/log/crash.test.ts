import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import { numbers, upTo } from "./clicks.ts";
import { tempFolder, until } from "@terse/testkit";

/** Runs a writer whose clicks are numbered from `first`, and kills it after some of them. Returns those it reported. */
async function crash(folder: string, report: FileHandle, fsync: string, first: number): Promise<number[]> {
  const from = (await report.stat()).size;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "crasher.ts"), folder, String(first), fsync],
    {
      stdio: ["ignore", report.fd, "inherit"],
    },
  );
  const ended = once(child, "exit");
  const moment = from + randomInt(1, fsync === "always" ? 1_000 : 20_000);
  await until(async () => (await report.stat()).size > moment);
  child.kill("SIGKILL");
  await ended;
  const lines = (await readFile(join(folder, "../report"), "latin1")).slice(from).split("\n");
  return lines.slice(0, -1).map(Number);
}

/** Reads and deletes all segments, as the drain does. */
async function drainFolder(folder: string): Promise<number[]> {
  const drained: number[] = [];
  for (const segment of await listSegments(folder)) {
    expect(segment.sealed).toBe(true);
    const { clicks, damaged } = await readSegment(segment, 0, Number.POSITIVE_INFINITY);
    expect(damaged).toBe(0);
    drained.push(...numbers(clicks));
    await unlink(segment.path);
  }
  return drained;
}

describe.each(["off", "always"])("a writer (fsync %s) that is killed at a random moment", (fsync) => {
  it("has every reported click in the log, once and in order, five times", { timeout: 120_000 }, async () => {
    const base = await tempFolder();
    const folder = join(base, "clicks");
    const report = await open(join(base, "report"), "a+");
    for (const round of upTo(5)) {
      const first = round * 1_000_000;
      const reported = await crash(folder, report, fsync, first);
      const logged = await drainFolder(folder);
      expect(reported.length).toBeGreaterThan(0);
      expect(reported).toEqual(upTo(reported.length).map((index) => first + index));
      expect(logged).toEqual(upTo(logged.length).map((index) => first + index));
      expect(logged.length).toBeGreaterThanOrEqual(reported.length);
    }
    await report.close();
    expect(await listSegments(folder)).toEqual([]);
  });
});
