/** Shares of an A/B test in whole percent, as a bar with handles shows them: pure rules. */

const hundred = 100;
const smallest = 1;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const indexOfLargest = (numbers: readonly number[]) => numbers.indexOf(Math.max(...numbers));

/** Weights as whole shares that add up to `total`, none below 1, by the largest remainder. */
export function toPercent(weights: readonly number[], total = hundred): number[] {
  const sum = sumOf(weights);
  const exact = weights.map((weight) => (weight / sum) * total);
  const shares = exact.map((share) => Math.max(smallest, Math.floor(share)));
  while (sumOf(shares) < total) {
    const at = indexOfLargest(exact.map((share, index) => share - (shares[index] ?? 0)));
    shares[at] = (shares[at] ?? 0) + 1;
  }
  while (sumOf(shares) > total) {
    const at = indexOfLargest(shares);
    shares[at] = (shares[at] ?? 0) - 1;
  }
  return shares;
}

/** The bar's handles: after how many percent each variant but the last one ends. */
export const toHandles = (percent: readonly number[]): number[] =>
  percent.slice(0, -1).map((_, at) => sumOf(percent.slice(0, at + 1)));

/** The reverse of `toHandles`. Handles that touch are moved apart, so that every variant keeps 1 percent. */
export function fromHandles(handles: readonly number[]): number[] {
  let start = 0;
  return [...handles, hundred].map((handle, at) => {
    const most = hundred - smallest * (handles.length - at);
    const end = Math.min(Math.max(handle, start + smallest), most);
    const share = end - start;
    start = end;
    return share;
  });
}

/** Gives one variant this share of 100; the others divide the rest as before. */
export function withPercent(weights: readonly number[], at: number, percent: number): number[] {
  const most = hundred - smallest * (weights.length - 1);
  const own = Math.min(Math.max(Math.round(percent), smallest), most);
  return toPercent(weights.toSpliced(at, 1), hundred - own).toSpliced(at, 0, own);
}
