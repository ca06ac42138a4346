import fc from "fast-check";
import { expect, it } from "vitest";
import { IdSums } from "../../src/analytics/breakdowns/value-sums.ts";

const additions = fc.array(
  fc.tuple(fc.oneof(fc.nat(50), fc.nat(2 ** 31 - 1)), fc.integer(), fc.nat(3), fc.option(fc.nat(2000))),
  { maxLength: 300 },
);

it("adds up by id, and knows the largest sums", () => {
  fc.assert(
    fc.property(additions, (all) => {
      const sums = new IdSums();
      const expected = new Map<number, number>();
      const seconds = new Map<number, number>();
      for (const [id, amount, second, room] of all) {
        if (room !== null) sums.reserve(room);
        sums.add(id, amount, second);
        expected.set(id, (expected.get(id) ?? 0) + amount);
        seconds.set(id, (seconds.get(id) ?? 0) + second);
      }
      expect(new Map(sums)).toEqual(expected);
      const least = sums.largest(3);
      expect(sums.atLeast(least)).toEqual(
        Array.from(expected, ([id, sum]) => ({ id, sum, second: seconds.get(id) })).filter(
          ({ sum }) => sum >= least,
        ),
      );
      const sorted = [...expected.values()].toSorted((a, b) => b - a);
      for (const count of [1, 7, 100])
        expect(sums.largest(count)).toBe(sorted[count - 1] ?? Number.NEGATIVE_INFINITY);
    }),
  );
});
