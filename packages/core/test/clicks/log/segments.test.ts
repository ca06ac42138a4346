import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listSegments } from "../../../src/clicks/log/segments.ts";
import { sealFrame } from "../../../src/clicks/log/format.ts";
import { processStat, self } from "../../../src/clicks/log/segment-name.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder, until } from "@terse/testkit";
import { appendTogether, openTestLog, putSegment, readAll, sizeOf } from "./helpers.ts";

const header = Buffer.from("TERSECL\u0001");
const sealed = async (folder: string) => (await listSegments(folder)).map((segment) => segment.sealed);

describe("the segments of a folder", () => {
  it("are only files with a segment's name; a missing folder has none", async () => {
    const folder = await tempFolder();
    expect(await listSegments(join(folder, "missing"))).toEqual([]);
    await writeFile(join(folder, "notes.clicks"), "");
    await mkdir(join(folder, "lost+found"));
    expect(await listSegments(folder)).toEqual([]);
  });

  it("are listed in the order of writing, and all but the last are sealed", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder, { segmentBytes: 2000 });
    for (const number of upTo(100)) await appendTogether(log, [click(number)]);
    const segments = await listSegments(folder);
    expect(segments.length).toBeGreaterThan(5);
    expect(segments.map((segment) => segment.sealed)).toEqual(
      segments.map((_, index) => index < segments.length - 1),
    );
    expect(segments.at(-1)?.id).toBe(log.stats().segment);
    for (const { path, bytes } of segments) expect((await readFile(path)).length).toBe(bytes);
    expect(numbers(await readAll(folder))).toEqual(upTo(100));
  });

  it("are all sealed after close, even in the same process", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    await appendTogether(log, [click(0)]);
    expect(await sealed(folder)).toEqual([false]);
    await log.close();
    expect(await sealed(folder)).toEqual([true]);
    expect(numbers(await readAll(folder))).toEqual([0]);
  });

  it("begin when the first click of the one before is old, so that no address stays on a quiet node", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder, { segmentMs: 1 });
    const empty = log.stats().segment;
    await appendTogether(log, [click(0)]);
    await until(async () => (await sealed(folder)).length === 2);
    expect(await sealed(folder)).toEqual([true, false]);
    const second = log.stats().segment;
    expect(second).not.toBe(empty);
    // A segment without clicks stays, however old it is.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(log.stats().segment).toBe(second);
    await appendTogether(log, [click(1)]);
    expect(numbers(await readAll(folder))).toEqual([0, 1]);
  });

  it("leave no file if nothing was written", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    expect(await sealed(folder)).toEqual([false]);
    await log.close();
    expect(await listSegments(folder)).toEqual([]);
  });

  it("of two writers in one folder do not disturb each other", async () => {
    const folder = await tempFolder();
    const [one, two] = [await openTestLog(folder), await openTestLog(folder)];
    await Promise.all([appendTogether(one.log, [click(1)]), appendTogether(two.log, [click(2)])]);
    await one.log.close();
    expect((await listSegments(folder)).filter((segment) => segment.sealed)).toHaveLength(1);
    expect(numbers(await readAll(folder)).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });
});

describe("a segment without a seal", () => {
  it("is open while its process runs, and sealed when that has ended, even as a zombie", async () => {
    const folder = await tempFolder();
    // The shell becomes a sleep that never waits for its child, so the child stays a zombie when it ends.
    const shell = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(line);
    const started = processStat(pid)?.started ?? expect.fail();
    await putSegment(folder, header, { pid, started });
    expect(await sealed(folder)).toEqual([false]);
    // Before that, the shell would wait for it.
    await until(async () => (await readFile(`/proc/${shell.pid}/comm`, "utf8")).trim() === "sleep");
    process.kill(pid, "SIGKILL");
    await until(() => processStat(pid)?.state === "Z");
    expect(await sealed(folder)).toEqual([true]);
  });

  it("is sealed if its pid belongs to a later process, as in a container after a restart", async () => {
    const folder = await tempFolder();
    await putSegment(folder, header, { pid: process.pid, started: self.started - 1 });
    await putSegment(folder, header, { pid: process.ppid, started: 1 });
    expect(await sealed(folder)).toEqual([true, true]);
  });

  it("of another machine or container is open while its writer touches it, and sealed some seconds later", async () => {
    const folder = await tempFolder();
    const { path } = await putSegment(folder, header, { machine: "00000000", pid: 1 });
    expect(await sealed(folder)).toEqual([false]);
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(path, minuteAgo, minuteAgo);
    expect(await sealed(folder)).toEqual([true]);
  });

  it("is not mistaken for a sealed one, whatever a client sends", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    await appendTogether(log, [click(0)]);
    for (const guess of upTo(500)) {
      const forged = sealFrame((await sizeOf(folder)) + guess).toString("latin1");
      await appendTogether(log, [click(1, { user_agent: forged, referrer: forged })]);
      expect(await sealed(folder)).toEqual([false]);
    }
  });
});
