import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEAD, PREFETCH, PREVIEW } from "../../../src/clicks/derive/bot-class.ts";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder } from "@terse/testkit";
import { appendTogether, openTestLog, readAll } from "./helpers.ts";

/** Any UTF-16 text: with lone surrogates, NUL and line breaks, often longer than what is kept. */
const anyText = (max: number) =>
  fc.oneof(
    fc.constant(""),
    fc.string({ unit: "binary", maxLength: max }),
    fc.string({
      unit: fc.constantFrom("\r", "\n", "\0", "é", "漢", "😀", "\uD83D", "\uDE00", "x"),
      maxLength: 2 * max,
    }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 2 * max })
      .map((units) => String.fromCharCode(...units)),
  );

const anyClick: fc.Arbitrary<RawClick> = fc.record({
  link_id: fc.uuid(),
  time: fc.oneof(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }), fc.maxSafeInteger()),
  address: anyText(64),
  user_agent: anyText(512),
  referrer: anyText(1024),
  client_hints: anyText(255),
  campaign: anyText(1001),
  country: anyText(8),
  flags: fc.integer({ min: 0, max: 0xff }),
  variant: fc.integer({ min: -1, max: 32_765 }),
  counts_as: fc.constantFrom(undefined, "limited", "bot", "fallback"),
});

function truncatedText(text: string, max: number): string {
  const start = text.slice(0, max);
  const halved = text.length > max && /[\uD800-\uDBFF]$/.test(start);
  return (halved ? start.slice(0, -1) : start).toWellFormed();
}

const truncated = (one: RawClick): RawClick => ({
  ...one,
  address: truncatedText(one.address, 64),
  user_agent: truncatedText(one.user_agent, 512),
  referrer: truncatedText(one.referrer, 1024),
  country: truncatedText(one.country, 8),
  campaign: truncatedText(one.campaign ?? "", 1001) || undefined,
  client_hints: firstBytes(one.client_hints ?? "", 255),
});

/** The whole characters in the first `max` bytes of UTF-8. */
function firstBytes(text: string, max: number): string | undefined {
  const kept = new Uint8Array(max);
  const { written } = new TextEncoder().encodeInto(text, kept);
  // A byte order mark is a character like any other.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return written > 0 ? decoder.decode(kept.subarray(0, written)) : undefined;
}

describe("clicks in the log", () => {
  it("keep the ids of their links, also of those whose ends are equal", async () => {
    const ids = Array.from(
      { length: 40 },
      (_, at) => `${(at % 20).toString(16).padStart(8, "0")}-0000-4000-8000-00000000abcd`,
    );
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    await appendTogether(
      log,
      ids.map((link_id, at) => click(at, { link_id })),
    );
    await log.close();
    expect((await readAll(folder)).map(({ link_id }) => link_id)).toEqual(ids);
  });

  it("are read as they were appended, truncated and well-formed, whatever their texts contain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyClick, { maxLength: 8 }), { maxLength: 6 }), async (turns) => {
        const folder = await tempFolder();
        const { log } = await openTestLog(folder);
        for (const turn of turns) await appendTogether(log, turn);
        await log.close();
        expect(await readAll(folder, 3)).toEqual(turns.flat().map(truncated));
      }),
      { numRuns: 150 },
    );
  });

  it("are all there after a turn that is larger than many frames", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    await appendTogether(
      log,
      upTo(5000).map((number) => click(number, { user_agent: "漢".repeat(600) })),
    );
    expect(numbers(await readAll(folder))).toEqual(upTo(5000));
  });

  it("are read in parts of about the size that was asked for", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    for (let turn = 0; turn < 40; turn++) await appendTogether(log, [click(2 * turn), click(2 * turn + 1)]);
    const [segment] = await listSegments(folder);
    if (!segment) throw new Error("no segment");
    const first = await readSegment(segment, 0, 5);
    expect(numbers(first.clicks)).toEqual(upTo(6));
    expect(first).toMatchObject({ end: false, torn: 0 });
    const rest = await readSegment(segment, first.next, 1_000_000);
    expect(numbers(rest.clicks)).toEqual(upTo(80).slice(6));
    expect(rest).toMatchObject({ end: true, torn: 0 });
    expect(await readSegment(segment, rest.next, 10)).toEqual({
      clicks: [],
      next: rest.next,
      end: true,
      damaged: 0,
      torn: 0,
    });
  });

  it("have ids in either case, flags and times in whole milliseconds", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    const id = "ABCDEF01-2345-6789-ABCD-EF0123456789";
    const flags = HEAD | PREFETCH | PREVIEW;
    const times = [1.4, Number.NaN, Number.POSITIVE_INFINITY, -0];
    await appendTogether(
      log,
      times.map((time) => click(0, { link_id: id, flags, time })),
    );
    const read = await readAll(folder);
    expect(read.map(({ time }) => time)).toEqual([1, 0, 0, 0]);
    for (const one of read) expect(one).toMatchObject({ link_id: id.toLowerCase(), flags });
  });

  it("count as lost if their link id is no UUID", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    const wrong = ["", "x", "0197a2b0-1234-7abc-8def-0123456789a漢", "0197a2b0-1234-7abc-8def-0123456789ag"];
    await appendTogether(log, [click(0), ...wrong.map((link_id) => click(9, { link_id })), click(1)]);
    expect(log.stats()).toMatchObject({ appended: 2, lost: wrong.length });
    expect(numbers(await readAll(folder))).toEqual([0, 1]);
  });

  it("begin with the file's magic and version", async () => {
    const folder = await tempFolder();
    const { log } = await openTestLog(folder);
    await appendTogether(log, [click(0)]);
    const [segment] = await listSegments(folder);
    expect((await readFile(segment?.path ?? "")).subarray(0, 8).toString("latin1")).toBe("TERSECL\u0001");
  });
});
