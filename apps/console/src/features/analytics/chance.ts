/** Critical values of the chi-squared distribution by degrees of freedom (1 to 3): a larger value has this probability. */
const critical = [
  { chance: 0.001, values: [10.828, 13.816, 16.266] },
  { chance: 0.01, values: [6.635, 9.21, 11.345] },
  { chance: 0.05, values: [3.841, 5.991, 7.815] },
] as const;

/** Fewer visitors expected in a variant make the test unreliable (Cochran, 1954). */
const fewest = 5;

/**
 * How likely chance alone makes a split at least as different from the weights (Pearson's chi-squared test): the smallest
 * of 0.001, 0.01 and 0.05 that it is below, 1 if it is none of them, and null if there are too few visitors to say.
 */
export function chanceOf(variants: readonly { weight: number; count: number }[]): number | null {
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  const all = variants.reduce((sum, { count }) => sum + count, 0);
  const expected = variants.map(({ weight }) => (all * weight) / weights);
  if (expected.some((each) => each < fewest)) return null;
  const statistic = variants.reduce((sum, each, at) => {
    const wanted = expected[at] ?? 1;
    return sum + (each.count - wanted) ** 2 / wanted;
  }, 0);
  return critical.find(({ values }) => statistic > (values[variants.length - 2] ?? Infinity))?.chance ?? 1;
}
