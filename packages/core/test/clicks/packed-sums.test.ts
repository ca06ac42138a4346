import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { listedDimensions, packedCodes } from "../../src/clicks/dimensions.ts";
import { PackedSums, readPacked } from "../../src/clicks/packed/sums.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);

const count = fc.oneof(fc.constant(1), fc.nat(300), fc.maxSafeNat());
const hours = fc.uniqueArray(fc.tuple(fc.nat(95), count, count, count), { selector: ([quarter]) => quarter });
const values = fc.uniqueArray(fc.tuple(fc.nat(31), fc.oneof(fc.nat(5), fc.nat(2 ** 31 - 1)), count), {
  selector: ([dimension, value]) => `${dimension} ${value}`,
});

function packed(
  hoursOfDay: [number, number, number, number][],
  valuesOfDay: [number, number, number][],
): Buffer {
  const day = new PackedSums();
  for (const each of hoursOfDay) day.quarterHour(...each);
  for (const each of valuesOfDay) day.value(...each);
  return day.pack();
}

/** What a packed day has, a line each. */
function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  readPacked(bytes, {
    quarterHour: (...counts) => lines.push(["", ...counts].join()),
    value: (...counts) => lines.push(counts.join()),
  });
  return lines.toSorted();
}

it("a packed day is read as it was written, in the database too", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(hours, values, async (someHours, someValues) => {
      const bytes = packed(someHours, someValues);
      const lines = [...someHours.map((each) => `,${each.join()}`), ...someValues.map((each) => each.join())];
      expect(linesOf(bytes)).toEqual(lines.toSorted());
      const { rows } = await depsOf(core).pool.query<{ line: string }>(
        `select case when dimension is null then concat_ws(',', '', key, clicks, visitors, bots)
                  else concat_ws(',', dimension, key, clicks) end as line from unpack_sums($1)`,
        [bytes],
      );
      expect(rows.map(({ line }) => line).toSorted()).toEqual(lines.toSorted());
    }),
    { numRuns: 100 },
  );
});

it("chunks are added up, in any order, and packed again as one", () => {
  const one = packed([[3, 1, 1, 0]], [[4, 70_000, 1]]);
  const other = packed(
    [
      [2, 0, 0, 5],
      [3, 200, 9, 0],
    ],
    [
      [4, 70_000, 300],
      [1, 2, 1],
    ],
  );
  const both = packed(
    [
      [2, 0, 0, 5],
      [3, 201, 10, 0],
    ],
    [
      [1, 2, 1],
      [4, 70_000, 301],
    ],
  );
  for (const chunks of [
    [one, other],
    [other, one],
  ])
    expect(new PackedSums().add(Buffer.concat(chunks)).pack()).toEqual(both);
});

it("values are added up, in whatever order they come and however they are packed", () => {
  const additions = fc.array(fc.tuple(fc.nat(2), fc.nat(30), fc.integer({ min: 1, max: 5 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.array(additions, { minLength: 1, maxLength: 4 }), additions, (chunks, own) => {
      const sums = new PackedSums();
      for (const each of own) sums.value(...each);
      const expected = new Map<number, Map<number, number>>();
      for (const [dimension, value, clicks] of [...chunks.flat(), ...own]) {
        const counts = expected.get(dimension) ?? new Map<number, number>();
        expected.set(dimension, counts.set(value, (counts.get(value) ?? 0) + clicks));
      }
      const packedChunks = chunks.map((chunk) => {
        const one = new PackedSums();
        for (const each of chunk) one.value(...each);
        return one.pack();
      });
      sums.add(Buffer.concat(packedChunks));
      expect(sums.byDimension()).toEqual(expected);
      expect(new PackedSums().add(sums.pack()).byDimension()).toEqual(expected);
    }),
  );
});

it("many additions to few values are all there", () => {
  const sums = new PackedSums();
  for (let at = 0; at < 100_000; at++) sums.value(1, at % 7, 1);
  expect([...(sums.byDimension().get(1)?.values() ?? [])].reduce((sum, clicks) => sum + clicks)).toBe(
    100_000,
  );
  expect(sums.pack().length).toBeLessThan(50);
});

it("a click takes few bytes", () => {
  expect(
    packed(
      [[40, 1, 1, 0]],
      Array.from({ length: 6 }, (_, at) => [at, at * 20, 1]),
    ).length,
  ).toBeLessThan(24);
});

it("bytes that end too early are an error", () => {
  expect(() => linesOf(packed([[3, 1, 1, 0]], [[4, 70_000, 1]]).subarray(0, -1))).toThrow(RangeError);
});

it("every listed dimension has a code that fits", () => {
  for (const dimension of [...listedDimensions, "variant"])
    expect(packedCodes.has(dimension), dimension).toBe(true);
  expect(Math.max(...packedCodes.values())).toBeLessThan(32);
});
