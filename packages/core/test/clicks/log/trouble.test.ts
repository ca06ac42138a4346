import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listSegments } from "../../../src/clicks/log/segments.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder, until } from "@terse/testkit";
import { appendTogether, openTestLog, readAll } from "./helpers.ts";

/** A folder that cannot be created, even by root, until a file in its path is deleted. */
async function blockedFolder() {
  const blocker = join(await tempFolder(), "blocker");
  await writeFile(blocker, "");
  return { folder: join(blocker, "clicks"), unblock: () => rm(blocker) };
}

const large = (number: number): RawClick => click(number, { user_agent: "x".repeat(512) });

describe("a click log whose folder cannot be written to", () => {
  it("opens degraded, delays no response, and writes everything in order once the folder can be created", async () => {
    const { folder, unblock } = await blockedFolder();
    const { log, events } = await openTestLog(folder, { retryMs: 20 });
    for (const number of upTo(300)) await appendTogether(log, [click(number)]);
    expect(log.stats()).toMatchObject({ degraded: true, appended: 300, queued: 300, lost: 0, segment: null });
    await unblock();
    await until(() => !log.stats().degraded);
    await appendTogether(log, [click(300)]);
    expect(log.stats()).toMatchObject({ queued: 0, lost: 0 });
    expect(numbers(await readAll(folder))).toEqual(upTo(301));
    expect(events.map(({ code, level }) => [code, level])).toEqual([
      ["click_log_write_failing", "error"],
      ["click_log_write_restored", "info"],
    ]);
    expect(events[0]?.["err"]).toMatchObject({ code: "ENOTDIR" });
  });

  it("keeps the oldest clicks in its memory, and counts and reports those that are lost", async () => {
    const { folder, unblock } = await blockedFolder();
    const { log, events } = await openTestLog(folder, { retryMs: 20, maxQueuedBytes: 600_000 });
    for (const group of upTo(40))
      await appendTogether(
        log,
        upTo(50).map((index) => large(group * 50 + index)),
      );
    const { appended, queued, lost } = log.stats();
    expect({ appended, together: queued + lost }).toEqual({ appended: 2000, together: 2000 });
    expect(queued * large(0).user_agent.length).toBeLessThan(600_000);
    expect(queued).toBeGreaterThan(400);
    await unblock();
    await until(() => !log.stats().degraded);
    expect(numbers(await readAll(folder))).toEqual(upTo(queued));
    expect(events.map(({ code }) => code)).toEqual([
      "click_log_write_failing",
      "click_log_memory_full",
      "click_log_write_restored",
    ]);
    expect(events[2]?.["lost"]).toBe(lost);
  });

  it("counts and reports clicks in memory as lost when it is closed", async () => {
    const { folder, unblock } = await blockedFolder();
    const { log, events } = await openTestLog(folder, { retryMs: 20 });
    await appendTogether(log, [click(0), click(1)]);
    await log.close();
    expect(log.stats()).toMatchObject({ lost: 2, segment: null });
    expect(events.at(-1)).toMatchObject({ code: "click_log_closed_with_loss", level: "error", lost: 2 });
    await unblock();
    await appendTogether(log, [click(2)]);
    expect(await listSegments(folder)).toEqual([]);
  });
});

describe("a click log", () => {
  it("begins another segment when its folder is deleted, and reports it", async () => {
    const folder = await tempFolder();
    const { log, events } = await openTestLog(folder);
    await appendTogether(log, [click(0)]);
    await rm(folder, { recursive: true });
    await until(() => events.length > 0);
    expect(events[0]).toMatchObject({ code: "click_log_segment_missing", level: "warn" });
    await appendTogether(log, [click(1)]);
    expect(numbers(await readAll(folder))).toEqual([1]);
  });

  it("begins another segment when the current one is truncated", async () => {
    const folder = await tempFolder();
    const { log, events } = await openTestLog(folder);
    await appendTogether(log, [click(0)]);
    const [segment] = await listSegments(folder);
    await truncate(segment?.path ?? "", 0);
    await until(() => events.length > 0);
    await appendTogether(log, [click(1)]);
    expect(numbers(await readAll(folder))).toEqual([1]);
  });

  it("continues in a full segment while no other one can be created", async () => {
    const folder = await tempFolder();
    const { log, events } = await openTestLog(folder, { segmentBytes: 1000 });
    await appendTogether(log, [click(0)]);
    const first = log.stats().segment;
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    for (const number of upTo(50)) await appendTogether(log, [click(number)]);
    expect(log.stats()).toMatchObject({ degraded: false, queued: 0, lost: 0, segment: first });
    expect(events).toEqual([]);
  });

  it("calls back for clicks after close without storing them, and closes once", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    let late = 0;
    log.append(click(0), () => log.append(click(1), () => (late += 1)));
    await Promise.all([log.close(), log.close()]);
    await appendTogether(log, [click(2)]);
    expect(late).toBe(1);
    expect(log.stats()).toMatchObject({ appended: 1, lost: 2, queued: 0, segment: null });
    expect(await readdir(folder)).toHaveLength(1);
    expect(numbers(await readAll(folder))).toEqual([0]);
  });

  it("runs the other callbacks if one throws", async () => {
    const { log, events } = await openTestLog(await tempFolder());
    log.append(click(0), () => {
      throw new Error("socket");
    });
    await appendTogether(log, [click(1)]);
    expect(events).toMatchObject([
      { code: "click_log_callback_failed", level: "error", err: new Error("socket") },
    ]);
  });
});

describe.each(["always", "interval", "off"] as const)("a click log with fsync %s", (fsync) => {
  it("calls back in the order of clicks, over many iterations and segments, once for each click", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder, { fsync, intervalMs: 5, segmentBytes: 3000 });
    const stored: number[] = [];
    for (const group of upTo(30)) {
      for (const index of upTo(10))
        log.append(click(group * 10 + index), () => stored.push(group * 10 + index));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await log.close();
    expect(stored).toEqual(upTo(300));
    expect(numbers(await readAll(folder))).toEqual(upTo(300));
  });

  it("never calls back before append has returned", async () => {
    const { log } = await openTestLog(await tempFolder(), { fsync });
    let returned = false;
    await new Promise<void>((resolve) => {
      log.append(click(0), () => {
        expect(returned).toBe(true);
        resolve();
      });
      returned = true;
    });
  });
});
