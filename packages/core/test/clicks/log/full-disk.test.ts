import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ClickLog, listSegments, readSegment } from "../../../src/clicks/log/index.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder, until } from "@terse/testkit";
import { appendTurn, openQuietly, readAll } from "./helpers.ts";

/** Mounts a file system of one megabyte in memory; false where this process may not. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "terse-test", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const group = 50;

/** Appends turns of 50 clicks of many sizes, counted from turn `from`, while `more`. Gives the next turn's number. */
async function appendWhile(log: ClickLog, from: number, more: (turn: number) => boolean): Promise<number> {
  let turn = from;
  for (; more(turn); turn++) {
    const userAgent = "Mozilla/5.0 ".repeat(turn % 40);
    await appendTurn(
      log,
      upTo(group).map((index) => click(turn * group + index, { user_agent: userAgent })),
    );
  }
  return turn;
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
    it("is tested with a tmpfs where REQUIRE_SERVICES=1 asks for it (no right to mount: left out)", () => {
      expect(process.env["REQUIRE_SERVICES"]).not.toBe("1");
    });
    return;
  }

  it("keeps the frames of a turn that did fit, since a reader may have counted them, and only those", async () => {
    const folder = join(base, "turn");
    const { log } = await openQuietly(folder, { retryMs: 60_000 });
    await appendTurn(
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

  it("stops no answer; once there is room, every click arrives once and in order", async () => {
    const folder = join(base, "clicks");
    const filler = join(base, "filler");
    await writeFile(filler, Buffer.alloc(600_000));
    const { log, events } = await openQuietly(folder, { retryMs: 20, segmentBytes: 100_000 });
    const full = await appendWhile(log, 0, () => !log.stats().degraded);
    const more = await appendWhile(log, full, (turn) => turn < full + 20);
    const { degraded, lost, queued } = log.stats();
    expect({ degraded, lost }).toEqual({ degraded: true, lost: 0 });
    expect(queued).toBeGreaterThan(19 * group);
    expect(numbers(await readAll(folder))).toEqual(upTo(more * group - queued));
    await expectNothingTorn(folder);

    await rm(filler);
    await until(() => !log.stats().degraded);
    const end = await appendWhile(log, more, (turn) => turn < more + 5);
    await log.close();
    expect(numbers(await readAll(folder))).toEqual(upTo(end * group));
    await expectNothingTorn(folder);
    expect(events.map(({ code }) => code)).toEqual(["click_log_write_failing", "click_log_write_restored"]);
    expect(events[0]?.["err"]).toMatchObject({ code: "ENOSPC" });
  });
});

describe("a limit on the size of files", () => {
  it("cuts no frame and loses no click: what does not fit goes into the next segment", async () => {
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
