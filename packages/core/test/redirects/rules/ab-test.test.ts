import { describe, expect, it } from "vitest";
import { variantOf } from "../../../src/redirects/rules/ab-test.ts";

const link = "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
const test = (...weights: number[]) => ({
  variants: weights.map((weight, at) => ({ url: `https://example.com/${at}`, weight })),
});
const visitors = Array.from({ length: 20_000 }, (_, at) => `visitor-${at}`);

/** How many visitors each variant gets. */
function shares(weights: number[]): number[] {
  const counts = weights.map(() => 0);
  for (const visitor of visitors) {
    const variant = variantOf(test(...weights), link, visitor);
    counts[variant] = (counts[variant] ?? 0) + 1;
  }
  return counts;
}

describe("the variant of a visitor", () => {
  it("is the same at every visit", () => {
    for (const visitor of visitors.slice(0, 500)) {
      const variant = variantOf(test(1, 2, 3), link, visitor);
      expect(variantOf(test(1, 2, 3), link, visitor)).toBe(variant);
    }
  });

  it.each([[[1, 1]], [[1, 3]], [[1, 1, 1]], [[10, 20, 30, 40]], [[1, 99]], [[9999, 10_000]]])(
    "follows the weights %j over 20,000 visitors, within four sigma",
    (weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [at, count] of shares(weights).entries()) {
        const share = (weights[at] ?? 0) / total;
        const sigma = Math.sqrt(visitors.length * share * (1 - share));
        expect(Math.abs(count - visitors.length * share)).toBeLessThan(4 * sigma);
      }
    },
  );

  it("is independent of the variant on another link", () => {
    const same = visitors.filter(
      (visitor) => variantOf(test(1, 1), link, visitor) === variantOf(test(1, 1), `${link}2`, visitor),
    ).length;
    expect(Math.abs(same - visitors.length / 2)).toBeLessThan(4 * Math.sqrt(visitors.length / 4));
  });
});
