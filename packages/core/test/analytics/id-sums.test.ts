import fc from "fast-check";
import { expect, it } from "vitest";
import { IdSums } from "../../src/analytics/id-sums.ts";

const additions = fc.array(fc.tuple(fc.oneof(fc.nat(50), fc.nat(2 ** 31 - 1)), fc.integer()), {
  maxLength: 300,
});

it("adds up by id, and knows the largest sums", () => {
  fc.assert(
    fc.property(additions, (all) => {
      const sums = new IdSums();
      const expected = new Map<number, number>();
      for (const [id, amount] of all) {
        sums.add(id, amount);
        expected.set(id, (expected.get(id) ?? 0) + amount);
      }
      expect(new Map(sums)).toEqual(expected);
      expect(sums.size).toBe(expected.size);
      const sorted = [...expected.values()].toSorted((a, b) => b - a);
      for (const count of [1, 7, 100])
        expect(sums.largest(count)).toBe(sorted[count - 1] ?? Number.NEGATIVE_INFINITY);
    }),
  );
});
