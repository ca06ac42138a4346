import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listSegments } from "../../../src/clicks/log/index.ts";
import { sealFrame } from "../../../src/clicks/log/format.ts";
import { processStat, self } from "../../../src/clicks/log/owner.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder } from "@terse/testkit";
import { appendTurn, openQuietly, putSegment, readAll } from "./helpers.ts";

const header = Buffer.from("TERSECL\u0001");
const sealed = async (folder: string) => (await listSegments(folder)).map((segment) => segment.sealed);

describe("the segments of a folder", () => {
  it("are none when the folder is missing, and only files with a segment's name", async () => {
    const folder = await tempFolder();
    expect(await listSegments(join(folder, "missing"))).toEqual([]);
    await writeFile(join(folder, "notes.clicks"), "");
    await mkdir(join(folder, "lost+found"));
    expect(await listSegments(folder)).toEqual([]);
  });

  it("follow each other in the order of writing, all but the last sealed", async () => {
    const folder = await tempFolder();
    const { log } = await openQuietly(folder, { segmentBytes: 2000 });
    for (const number of upTo(100)) await appendTurn(log, [click(number)]);
    const segments = await listSegments(folder);
    expect(segments.length).toBeGreaterThan(5);
    expect(segments.map((segment) => segment.sealed)).toEqual(
      segments.map((_, index) => index < segments.length - 1),
    );
    expect(segments.at(-1)?.id).toBe(log.stats().segment);
    for (const { path, bytes } of segments) expect((await readFile(path)).length).toBe(bytes);
    expect(numbers(await readAll(folder))).toEqual(upTo(100));
  });

  it("are all sealed after close, in the same process too", async () => {
    const folder = await tempFolder();
    const { log } = await openQuietly(folder);
    await appendTurn(log, [click(0)]);
    expect(await sealed(folder)).toEqual([false]);
    await log.close();
    expect(await sealed(folder)).toEqual([true]);
    expect(numbers(await readAll(folder))).toEqual([0]);
  });

  it("leave no file behind when nothing was written", async () => {
    const folder = await tempFolder();
    const { log } = await openQuietly(folder);
    expect(await sealed(folder)).toEqual([false]);
    await log.close();
    expect(await listSegments(folder)).toEqual([]);
  });

  it("of two writers in one folder do not disturb each other", async () => {
    const folder = await tempFolder();
    const [one, two] = [await openQuietly(folder), await openQuietly(folder)];
    await Promise.all([appendTurn(one.log, [click(1)]), appendTurn(two.log, [click(2)])]);
    await one.log.close();
    expect((await listSegments(folder)).filter((segment) => segment.sealed)).toHaveLength(1);
    expect(numbers(await readAll(folder)).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });
});

describe("a segment without a seal", () => {
  it("is open while its process runs, and sealed when it has ended, though nobody waited for it", async () => {
    const folder = await tempFolder();
    // The shell turns into a sleep that never collects its child: once ended, the child stays as a zombie.
    const shell = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(line);
    const started = processStat(pid)?.started ?? expect.fail();
    await putSegment(folder, header, { pid, started });
    expect(await sealed(folder)).toEqual([false]);
    process.kill(pid, "SIGKILL");
    while (processStat(pid)?.state !== "Z") await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await sealed(folder)).toEqual([true]);
  });

  it("is sealed when its process number belongs to a later process, as in a container after a restart", async () => {
    const folder = await tempFolder();
    await putSegment(folder, header, { pid: process.pid, started: self.started - 1 });
    await putSegment(folder, header, { pid: process.ppid, started: 1 });
    expect(await sealed(folder)).toEqual([true, true]);
  });

  it("of another machine or container is open while its writer shows life, and sealed after some silence", async () => {
    const folder = await tempFolder();
    const { path } = await putSegment(folder, header, { place: "00000000", pid: 1 });
    expect(await sealed(folder)).toEqual([false]);
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(path, minuteAgo, minuteAgo);
    expect(await sealed(folder)).toEqual([true]);
  });

  it("is not taken for sealed by anything that a stranger can send", async () => {
    const folder = await tempFolder();
    const { log } = await openQuietly(folder);
    await appendTurn(log, [click(0)]);
    for (const guess of upTo(500)) {
      const forged = sealFrame(8 + log.stats().written_bytes + guess).toString("latin1");
      await appendTurn(log, [click(1, { user_agent: forged, referrer: forged })]);
      expect(await sealed(folder)).toEqual([false]);
    }
  });
});
