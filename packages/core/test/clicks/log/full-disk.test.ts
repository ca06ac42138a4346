import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensureReserve } from "../../../src/clicks/log/frame-store.ts";
import { type ClickLog } from "../../../src/clicks/log/click-log.ts";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder, until } from "@terse/testkit";
import { appendTogether, openTestLog, readAll } from "./helpers.ts";

/** Mounts a file system of one megabyte in memory; returns false without the right to do so. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "terse-test", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const groupSize = 50;

/** Appends groups of 50 clicks of different sizes, numbered from `from`, while `more`. Returns the next number. */
async function appendWhile(log: ClickLog, from: number, more: (group: number) => boolean): Promise<number> {
  let group = from;
  for (; more(group); group++) {
    const userAgent = "Mozilla/5.0 ".repeat(group % 40);
    await appendTogether(
      log,
      upTo(groupSize).map((index) => click(group * groupSize + index, { user_agent: userAgent })),
    );
  }
  return group;
}

async function expectNothingTorn(folder: string): Promise<void> {
  for (const segment of await listSegments(folder)) {
    const part = await readSegment(segment, 0, Number.POSITIVE_INFINITY);
    expect(part).toMatchObject({ next: segment.bytes, end: true, torn: 0 });
  }
}

const base = mkdtempSync(join(tmpdir(), "terse-disk-"));
const mounted = mountSmallDisk(base);
afterAll(() => {
  if (mounted) execFileSync("umount", ["-l", base]);
  rmdirSync(base);
});

describe("a full disk", () => {
  if (!mounted) {
    it("is tested with a tmpfs if REQUIRE_SERVICES=1 requires it (skipped: no right to mount)", () => {
      expect(process.env["REQUIRE_SERVICES"]).not.toBe("1");
    });
    return;
  }

  it("keeps only the frames that fit, since a reader may have counted them", async () => {
    const folder = join(base, "frames");
    const { log } = await openTestLog(folder, { retryMs: 60_000 });
    await appendTogether(
      log,
      upTo(3000).map((number) => click(number, { user_agent: "x".repeat(500) })),
    );
    const { queued } = log.stats();
    expect(queued).toBeGreaterThan(0);
    expect(queued).toBeLessThan(3000);
    expect(numbers(await readAll(folder))).toEqual(upTo(3000 - queued));
    await expectNothingTorn(folder);
    await rm(folder, { recursive: true });
    await log.close();
  });

  it("delays no response; once there is space, every click is stored once and in order", async () => {
    const folder = join(base, "clicks");
    const filler = join(base, "filler");
    await writeFile(filler, Buffer.alloc(600_000));
    const { log, events } = await openTestLog(folder, { retryMs: 20, segmentBytes: 100_000 });
    const full = await appendWhile(log, 0, () => !log.stats().degraded);
    const more = await appendWhile(log, full, (group) => group < full + 20);
    const { degraded, lost, queued } = log.stats();
    expect({ degraded, lost }).toEqual({ degraded: true, lost: 0 });
    expect(queued).toBeGreaterThan(19 * groupSize);
    expect(numbers(await readAll(folder))).toEqual(upTo(more * groupSize - queued));
    await expectNothingTorn(folder);

    await rm(filler);
    await until(() => !log.stats().degraded);
    const end = await appendWhile(log, more, (group) => group < more + 5);
    await log.close();
    expect(numbers(await readAll(folder))).toEqual(upTo(end * groupSize));
    await expectNothingTorn(folder);
    expect(events.map(({ code }) => code)).toEqual(["click_log_write_failing", "click_log_write_restored"]);
    expect(events[0]?.["err"]).toMatchObject({ code: "ENOSPC" });
    await rm(folder, { recursive: true });
  });
});

describe("a log that is closed on a full disk", () => {
  it.runIf(mounted)("writes what waits in memory to the space of its reserve", async () => {
    const folder = join(base, "reserve");
    const { log, events } = await openTestLog(folder, { retryMs: 60_000, reserveBytes: 65_536 });
    await until(() => existsSync(join(folder, "reserve")));
    const filler = join(base, "filler");
    await writeFile(filler, Buffer.alloc(1_048_576)).catch(() => {});
    const full = await appendWhile(log, 0, () => !log.stats().degraded);
    const end = await appendWhile(log, full, (group) => group < full + 2);
    const { queued } = log.stats();
    expect(queued).toBeGreaterThan(2 * groupSize);
    await log.close();
    expect(log.stats().lost).toBe(0);
    expect(numbers(await readAll(folder))).toEqual(upTo(end * groupSize));
    await expectNothingTorn(folder);
    expect(events.map(({ code }) => code)).not.toContain("click_log_closed_with_loss");
    await rm(filler);
    await rm(folder, { recursive: true });
  });

  it.runIf(mounted)("takes no reserve from a disk that is nearly full", async () => {
    const folder = join(base, "little-room");
    await ensureReserve(folder, 500_000);
    expect(existsSync(join(folder, "reserve"))).toBe(false);
    await ensureReserve(folder, 50_000);
    expect(existsSync(join(folder, "reserve"))).toBe(true);
    await rm(folder, { recursive: true });
  });
});

describe("a limit on the size of files", () => {
  it("splits no frame and loses no click: what does not fit goes into the next segment", async () => {
    const folder = join(await tempFolder(), "clicks");
    const script = `ulimit -f 40; exec "$0" "$@"`;
    const child = [process.execPath, join(import.meta.dirname, "limited.ts"), folder, "600"];
    const events = execFileSync("sh", ["-c", script, ...child], { encoding: "utf8" });
    expect(numbers(await readAll(folder))).toEqual(upTo(600));
    await expectNothingTorn(folder);
    expect((await listSegments(folder)).length).toBeGreaterThan(2);
    expect(events).toContain("EFBIG");
  });
});
