import { appendFile, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { listSegments } from "../../../src/clicks/log/segments.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import { segmentId, self } from "../../../src/clicks/log/segment-name.ts";
import { createTestCore } from "../../../src/testing.ts";
import { tempFolder } from "@terse/testkit";
import { clickOn, depsOf, unknownId, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, filesIn, logClicks, number } from "./helpers.ts";

const now = new Date("2026-05-15T12:30:00.000Z");
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { links } = core.caller(await actor());
const { pool } = depsOf(core);

const newLink = async () => (await links.create({ url })).id;
const clicks = (id: string, count: number) =>
  Array.from({ length: count }, (_, at) => clickOn(id, { time: now.getTime(), address: `10.0.0.${at}` }));

/** The only segment of a folder. */
async function onlySegment(folder: string) {
  const [segment, ...others] = await listSegments(folder);
  if (!segment || others.length > 0) throw new Error("Expected one segment");
  return segment;
}

/** A segment id of a dead writer. */
const ofDeadWriter = () =>
  segmentId({
    since: 1,
    writer: "0".repeat(32),
    number: 0,
    owner: { pid: 2 ** 30, started: 1, machine: self.machine },
  });

describe("a torn tail", () => {
  it("is skipped and reported, and everything before it is counted", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 30), { segmentBytes: 1e6 });
    const { path } = await onlySegment(folder);
    const segment = ofDeadWriter();
    await rename(path, join(folder, `${segment}.clicks`));
    await appendFile(join(folder, `${segment}.clicks`), "half a frame");
    const { events, ...drain } = drainOf(core, folder);
    expect(await drain.once()).toBe(30);
    expect(events).toEqual([
      expect.objectContaining({ code: "click_log_tail_incomplete", segment, bytes: expect.any(Number) }),
    ]);
    expect(await countsOf(core, id)).toEqual(exactly(30));
    expect(await filesIn(folder)).toEqual([]);
  });

  it("is not torn if whole frames follow: a flipped bit costs its frame, and is reported", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 40), { segmentBytes: 1e6, perFrame: 4 });
    const { path } = await onlySegment(folder);
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const { events, ...drain } = drainOf(core, folder, { batchSize: 3 });
    expect(await drain.once()).toBe(36);
    expect(await countsOf(core, id)).toEqual(exactly(36));
    expect(events).toEqual([
      expect.objectContaining({
        code: "click_log_damaged",
        level: "warn",
        bytes: expect.any(Number),
      }),
    ]);
    expect(await filesIn(folder)).toEqual([]);
  });
});

describe("a segment that cannot be counted", () => {
  it("because it cannot be read does not block the others", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const broken = ofDeadWriter();
    await mkdir(join(folder, `${broken}.clicks`));
    await logClicks(folder, clicks(id, 30));
    const drain = drainOf(core, folder);
    await expect(drain.once()).rejects.toThrow(/EISDIR/);
    expect(await countsOf(core, id)).toEqual(exactly(30));
    expect(await filesIn(folder)).toEqual([`${broken}.clicks`]);
  });

  it("because the database rejects one of its clicks does not block the others, and is counted once it is accepted", async () => {
    const [id, poison, folder] = [await newLink(), await newLink(), await tempFolder()];
    await pool.query(`alter table clicks add constraint no_poison check (link_id <> '${poison}')`);
    await logClicks(folder, [...clicks(poison, 1), ...clicks(id, 5)], { segmentBytes: 1e6 });
    await logClicks(folder, clicks(id, 30));
    const drain = drainOf(core, folder);
    await expect(drain.once()).rejects.toThrow(/no_poison/);
    expect(await countsOf(core, id)).toEqual(exactly(30));
    expect(await countsOf(core, poison)).toEqual(exactly(0));
    await pool.query("alter table clicks drop constraint no_poison");
    expect(await drain.once()).toBe(6);
    expect(await countsOf(core, id)).toEqual(exactly(35));
    expect(await countsOf(core, poison)).toEqual(exactly(1));
    expect(await filesIn(folder)).toEqual([]);
  });
});

describe("a click with invalid fields", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3000 }),
    fc.constantFrom(
      "\0",
      "\uD800",
      "http://\0/",
      `https://${"a.".repeat(2000)}`,
      "{1,2}",
      '"\\',
      "'; drop table clicks",
    ),
  );
  const garbage = fc.record({
    link_id: fc.oneof(fc.uuid(), fc.constantFrom("", "x", unknownId, "0".repeat(36), "\0".repeat(36))),
    time: fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(
        0,
        -1,
        -62_198_755_200_000,
        253_370_764_800_000,
        8.64e15 + 1,
        2 ** 53,
        1e300,
        Number.NaN,
        Number.POSITIVE_INFINITY,
      ),
    ),
    address: text,
    user_agent: text,
    referrer: text.map((path) => `https://${path}`),
    country: text,
    flags: fc.oneof(fc.integer(), fc.double()),
    variant: fc.oneof(fc.integer(), fc.double()),
  });

  it("stops no drain and affects no other click", { timeout: 60_000 }, async () => {
    const run = async (bad: RawClick[]) => {
      const [id, folder] = [await newLink(), await tempFolder()];
      const mixed = bad.flatMap((one, at) => [
        one,
        clickOn(id, { time: now.getTime(), address: `10.0.0.${at}` }),
      ]);
      await logClicks(folder, mixed);
      await drainOf(core, folder).once();
      expect(await countsOf(core, id)).toEqual(exactly(bad.length));
      expect(await filesIn(folder)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(fc.array(garbage, { minLength: 1, maxLength: 30 }), run), {
      numRuns: 25,
    });
  });

  it("stops no counting without a log either; only a link_id that is no UUID is rejected", {
    timeout: 60_000,
  }, async () => {
    const run = async (bad: RawClick) => {
      const id = await newLink();
      await core.clicks.record({ ...bad, link_id: id });
      expect((await countsOf(core, id)).raw).toBe(1);
    };
    await fc.assert(fc.asyncProperty(garbage, run), { numRuns: 25 });
    await expect(core.clicks.record(clickOn("no link"))).rejects.toThrow();
  });

  it("with an impossible time counts at the time of counting", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const impossible = [
      "-000001-01-01",
      "0000-01-01",
      "1970-01-01",
      "2019-12-31",
      "2026-05-17",
      "9999-12-31",
      "+275760-09-13",
    ];
    await logClicks(
      folder,
      impossible.map((day) => clickOn(id, { time: Date.parse(`${day}T00:00:00Z`) })),
    );
    await drainOf(core, folder).once();
    expect(await countsOf(core, id)).toEqual(exactly(impossible.length));
    const quarterHour =
      "select count(*) from link_quarter_hours where link_id = $1 and start = '2026-05-15T12:30:00Z'";
    expect(await number(core, quarterHour, [id])).toBe(1);
    expect(await number(core, "select count(*) from link_quarter_hours where link_id = $1", [id])).toBe(1);
  });

  it("from a clock that is slightly ahead or an old log keeps its time", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const times = ["2026-05-15T12:59:00Z", "2026-05-16T12:00:00Z", "2026-02-01T00:00:00Z"];
    await logClicks(
      folder,
      times.map((time) => clickOn(id, { time: Date.parse(time) })),
    );
    await drainOf(core, folder).once();
    expect(await number(core, "select count(*) from link_quarter_hours where link_id = $1", [id])).toBe(3);
    expect(await countsOf(core, id)).toEqual(exactly(3));
  });
});

it("an empty folder and a missing one have nothing to count", async () => {
  const folder = await tempFolder();
  expect(await drainOf(core, folder).once()).toBe(0);
  expect(await drainOf(core, join(folder, "none")).once()).toBe(0);
  await expect(stat(join(folder, "none"))).rejects.toThrow(/ENOENT/);
});
