/**
 * The first whole number from `low` up to, but not including, `high` for which `holds`; `high` if there is none. It must hold for all
 * numbers after one for which it holds.
 */
export function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
