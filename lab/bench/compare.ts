/** Two measurements, taken alternately (A B A B …), so that drift on a noisy machine affects both. */
export interface Comparison {
  unit: string;
  rounds: number;
  baseline: { name: string; round: () => Promise<number> };
  product: { name: string; round: () => Promise<number> };
}

/** Runs the rounds; prints both medians and the median of the ratios, product to baseline. */
export async function compare({ unit, rounds, baseline, product }: Comparison): Promise<number> {
  await baseline.round();
  await product.round();
  const rows: { baseline: number; product: number; ratio: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    const row = { baseline: await baseline.round(), product: await product.round() };
    rows.push({ ...row, ratio: row.product / row.baseline });
    process.stderr.write(`  round ${round} of ${rounds}: ${(row.product / row.baseline).toFixed(3)}\n`);
  }
  const ratio = median(rows.map((row) => row.ratio));
  const show = (name: string, values: number[]) =>
    console.log(
      `  ${name.padEnd(28)} ${Math.round(median(values)).toLocaleString("en").padStart(10)} ${unit}`,
    );
  show(
    baseline.name,
    rows.map((row) => row.baseline),
  );
  show(
    product.name,
    rows.map((row) => row.product),
  );
  console.log(`  ${"ratio (median of rounds)".padEnd(28)} ${ratio.toFixed(3).padStart(10)}`);
  return ratio;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
