import { forEachYielding } from "../../concurrency/yield-to-event-loop.ts";
import type { outcomesOf } from "./outcome.ts";
import type { PastClick } from "./past-click.ts";

type Outcome = ReturnType<typeof outcomesOf>;

/** Adds up where clicks go. */
export async function compare(past: readonly PastClick[], before: Outcome, after: Outcome) {
  const sums = { clicks: 0, moved: 0, unknown: 0 };
  const destinations = new Map<string, { url: string; before: number; after: number }>();
  const at = (url: string) => {
    const found = destinations.get(url) ?? { url, before: 0, after: 0 };
    destinations.set(url, found);
    return found;
  };
  await forEachYielding(past, (click) => {
    sums.clicks += click.clicks;
    const [from, to] = [before(click), after(click)];
    if (from === null || to === null) {
      sums.unknown += click.clicks;
      return;
    }
    if (from !== to) sums.moved += click.clicks;
    at(from).before += click.clicks;
    at(to).after += click.clicks;
  });
  const most = ({ before: one, after: other }: { before: number; after: number }) => Math.max(one, other);
  return {
    ...sums,
    destinations: [...destinations.values()].toSorted(
      (one, other) => most(other) - most(one) || other.after - one.after,
    ),
  };
}
