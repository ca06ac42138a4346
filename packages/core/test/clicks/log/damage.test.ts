import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { listSegments, readSegment, type Segment } from "../../../src/clicks/log/segments.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { tempFolder } from "@terse/testkit";
import { appendTogether, openTestLog, putSegment, sizeOf } from "./helpers.ts";

/** Frames of 1, 2, 3 … clicks without a seal, as a killed process leaves them. `ends[n]` is where n frames end. */
let bytes: Buffer;
let ends: number[];
let folder: string;
let segment: Segment;
const frames = 5;
const clicksIn = (count: number) => upTo((count * (count + 1)) / 2);

beforeEach(async () => {
  const source = await tempFolder();
  const { log } = await openTestLog(source);
  ends = [8];
  for (let frame = 1; frame <= frames; frame++) {
    const before = clicksIn(frame - 1).length;
    await appendTogether(
      log,
      upTo(frame).map((number) => click(before + number)),
    );
    ends.push(await sizeOf(source));
  }
  bytes = await readFile((await listSegments(source))[0]?.path ?? "");
  folder = await tempFolder();
  const { id, path } = await putSegment(folder, bytes, { started: 1 });
  segment = { id, writer: "w", newest: true, path, bytes: bytes.length, sealed: true };
});

interface Change {
  at: number;
}
/** Bytes of the file's header that are intact: none if it was changed. */
const headerOf = (all: Change[]) => (all.some(({ at }) => at < 8) ? 0 : 8);

describe("a damaged segment", () => {
  it("that is truncated at any byte gives every frame before that, and the number of torn bytes", async () => {
    for (let length = 0; length <= bytes.length; length++) {
      await writeFile(segment.path, bytes.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length - 1;
      const next = whole < 0 ? 0 : (ends[whole] ?? 0);
      const part = await readSegment(segment, 0, 1000);
      expect({ ...part, clicks: numbers(part.clicks) }).toEqual({
        clicks: clicksIn(Math.max(0, whole)),
        next,
        end: true,
        damaged: 0,
        torn: length - next,
      });
    }
  });

  it("with any bytes changed gives every whole frame, and the number of damaged bytes", async () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    const changes = fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ at }) => at });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const damaged = Buffer.from(bytes);
        for (const { at, by } of all) damaged[at] = (damaged[at] ?? 0) ^ by;
        await writeFile(segment.path, damaged);
        const wholes = upTo(frames).filter((frame) =>
          all.every(({ at }) => at < (ends[frame] ?? 0) || at >= (ends[frame + 1] ?? 0)),
        );
        const part = await readSegment(segment, 0, 1000);
        expect(numbers(part.clicks)).toEqual(
          wholes.flatMap((frame) => clicksIn(frame + 1).slice(clicksIn(frame).length)),
        );
        const next = wholes.length > 0 ? (ends[Math.max(...wholes) + 1] ?? 0) : headerOf(all);
        expect(part).toMatchObject({ next, end: true, torn: bytes.length - next });
        const whole = wholes.reduce((sum, frame) => sum + (ends[frame + 1] ?? 0) - (ends[frame] ?? 0), 0);
        expect(part.damaged).toBe(wholes.length > 0 ? next - whole - headerOf(all) : 0);

        // While it is being written, frames after the damage are not read.
        const open = await readSegment({ ...segment, sealed: false }, 0, 1000);
        const first = Math.min(...all.map(({ at }) => at));
        expect(numbers(open.clicks)).toEqual(
          clicksIn(Math.max(0, ends.filter((end) => end <= first).length - 1)),
        );
        expect(open).toMatchObject({ end: true, damaged: 0, torn: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it("with damage longer than one read gives the frames after it", async () => {
    const gap = Buffer.alloc(1_000_000, 0xc1);
    await writeFile(segment.path, Buffer.concat([bytes, gap, bytes.subarray(8)]));
    const part = await readSegment(segment, 0, 1000);
    expect(numbers(part.clicks)).toEqual([...clicksIn(frames), ...clicksIn(frames)]);
    expect(part).toMatchObject({ damaged: gap.length, torn: 0 });
  });

  it("of random bytes, or with random bytes after its frames, never gives a click that was not written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, after) => {
        await writeFile(segment.path, after ? Buffer.concat([bytes, noise]) : noise);
        const part = await readSegment(segment, 0, 1000);
        expect(numbers(part.clicks)).toEqual(after ? clicksIn(frames) : []);
        expect(part).toMatchObject({ end: true, torn: noise.length });
      }),
      { numRuns: 200 },
    );
  });

  it("with zeros at its end, as after a power failure, gives every frame before the zeros", async () => {
    await writeFile(segment.path, Buffer.concat([bytes, Buffer.alloc(4096)]));
    const part = await readSegment(segment, 0, 1000);
    expect(numbers(part.clicks)).toEqual(clicksIn(frames));
    expect(part).toMatchObject({ next: bytes.length, torn: 4096 });
  });

  it("that is being written has no torn bytes, only a frame that is not complete yet", async () => {
    await writeFile(segment.path, bytes.subarray(0, -5));
    const open = { ...segment, sealed: false };
    const part = await readSegment(open, 0, 1000);
    expect(part).toMatchObject({ next: ends[frames - 1], end: true, torn: 0 });
    await writeFile(segment.path, bytes);
    expect(numbers((await readSegment(open, part.next, 1000)).clicks)).toEqual(
      clicksIn(frames).slice(-frames),
    );
  });

  it("that does not exist, or is shorter than the position, reads as empty", async () => {
    const nothing = { clicks: [], end: true, damaged: 0, torn: 0 };
    expect(await readSegment(segment, bytes.length + 9, 10)).toEqual({ ...nothing, next: bytes.length + 9 });
    const missing = { ...segment, path: `${segment.path}.gone` };
    expect(await readSegment(missing, 77, 10)).toEqual({ ...nothing, next: 77 });
  });
});
