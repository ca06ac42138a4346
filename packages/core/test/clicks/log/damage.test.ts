import { readFile, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { cutSegment, listSegments, readSegment, type Segment } from "../../../src/clicks/log/index.ts";
import { click, numbers, upTo } from "./clicks.ts";
import { appendTurn, openQuietly, putSegment, readAll, tempFolder } from "./helpers.ts";

/** Frames of 1, 2, 3 … clicks, as a killed process left them: without a seal. `ends[n]` is where n frames end. */
let bytes: Buffer;
let ends: number[];
let folder: string;
let segment: Segment;
const frames = 5;
const clicksIn = (count: number) => upTo((count * (count + 1)) / 2);

beforeEach(async () => {
  const source = await tempFolder();
  const { log } = await openQuietly(source);
  ends = [8];
  for (let frame = 1; frame <= frames; frame++) {
    const before = clicksIn(frame - 1).length;
    await appendTurn(
      log,
      upTo(frame).map((number) => click(before + number)),
    );
    ends.push(8 + log.stats().written_bytes);
  }
  bytes = await readFile((await listSegments(source))[0]?.path ?? "");
  folder = await tempFolder();
  const { id, path } = await putSegment(folder, bytes, { started: 1 });
  segment = { id, path, bytes: bytes.length, sealed: true };
});

describe("a damaged segment", () => {
  it("that is cut at any byte gives every frame before the cut, and says how many bytes are torn", async () => {
    for (let length = 0; length <= bytes.length; length++) {
      await writeFile(segment.path, bytes.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length - 1;
      const next = whole < 0 ? 0 : (ends[whole] ?? 0);
      const part = await readSegment(segment, 0, 1000);
      expect({ ...part, clicks: numbers(part.clicks) }).toEqual({
        clicks: clicksIn(Math.max(0, whole)),
        next,
        end: true,
        torn: length - next,
      });
    }
  });

  it("with any bytes changed gives every frame before the first change, and nothing else", async () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    const changes = fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ at }) => at });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const damaged = Buffer.from(bytes);
        for (const { at, by } of all) damaged[at] = (damaged[at] ?? 0) ^ by;
        await writeFile(segment.path, damaged);
        const first = Math.min(...all.map(({ at }) => at));
        const whole = ends.filter((end) => end <= first).length - 1;
        const part = await readSegment(segment, 0, 1000);
        expect(numbers(part.clicks)).toEqual(clicksIn(Math.max(0, whole)));
        const next = whole < 0 ? 0 : ends[whole];
        expect(part).toMatchObject({ next, end: true, torn: bytes.length - (next ?? 0) });
      }),
      { numRuns: 500 },
    );
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

  it("with zeros at its end, as a power cut leaves them, gives every frame before the zeros", async () => {
    await writeFile(segment.path, Buffer.concat([bytes, Buffer.alloc(4096)]));
    const part = await readSegment(segment, 0, 1000);
    expect(numbers(part.clicks)).toEqual(clicksIn(frames));
    expect(part).toMatchObject({ next: bytes.length, torn: 4096 });
  });

  it("is cut at the last whole frame, and reads without anything torn then", async () => {
    await writeFile(segment.path, bytes.subarray(0, -5));
    const { next, torn } = await readSegment(segment, 0, 1000);
    expect(await cutSegment(segment, next)).toBe(torn);
    expect((await stat(segment.path)).size).toBe(next);
    expect(await cutSegment(segment, next)).toBe(0);
    expect(await readSegment(segment, next, 1000)).toEqual({ clicks: [], next, end: true, torn: 0 });
    expect(numbers(await readAll(folder))).toEqual(clicksIn(frames - 1));
  });

  it("that is still written to has no torn bytes, only a frame that is not there yet", async () => {
    await writeFile(segment.path, bytes.subarray(0, -5));
    const open = { ...segment, sealed: false };
    const part = await readSegment(open, 0, 1000);
    expect(part).toMatchObject({ next: ends[frames - 1], end: true, torn: 0 });
    await writeFile(segment.path, bytes);
    expect(numbers((await readSegment(open, part.next, 1000)).clicks)).toEqual(
      clicksIn(frames).slice(-frames),
    );
    await expect(cutSegment(open, 8)).rejects.toThrow("not sealed");
  });

  it("that is gone, or shorter than the position, reads as empty", async () => {
    const nothing = { clicks: [], end: true, torn: 0 };
    expect(await readSegment(segment, bytes.length + 9, 10)).toEqual({ ...nothing, next: bytes.length + 9 });
    const missing = { ...segment, path: `${segment.path}.gone` };
    expect(await readSegment(missing, 77, 10)).toEqual({ ...nothing, next: 77 });
    expect(await cutSegment(missing, 77)).toBe(0);
  });
});
