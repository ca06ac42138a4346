import { spawn } from "node:child_process";
import { once } from "node:events";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import { numbers, upTo } from "./clicks.ts";
import { tempFolder } from "@terse/testkit";

it("a reader that follows a running writer and deletes finished segments reads every click once, and nothing torn", async () => {
  const folder = await tempFolder();
  const writer = spawn(process.execPath, [join(import.meta.dirname, "crasher.ts"), folder, "0"], {
    stdio: "ignore",
  });
  const ended = once(writer, "exit");
  onTestFinished(() => void writer.kill("SIGKILL"));
  const positions = new Map<string, number>();
  const read: number[] = [];

  async function follow(): Promise<number> {
    const segments = await listSegments(folder);
    for (const segment of segments) {
      const { clicks, next, end, damaged, torn } = await readSegment(
        segment,
        positions.get(segment.id) ?? 0,
        500,
      );
      for (const number of numbers(clicks)) read.push(number);
      positions.set(segment.id, next);
      expect(damaged).toBe(0);
      if (writer.exitCode === null && writer.signalCode === null) expect(torn).toBe(0);
      if (!end) break;
      if (segment.sealed) await unlink(segment.path);
    }
    return segments.length;
  }

  while (read.length < 50_000) await follow();
  writer.kill("SIGKILL");
  await ended;
  while ((await follow()) > 0);
  expect(positions.size).toBeGreaterThan(20);
  expect(read).toEqual(upTo(read.length));
});
