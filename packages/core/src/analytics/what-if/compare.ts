import { forEachYielding } from "../../kernel/async/waiting.ts";
import type { outcomesOf } from "./outcome.ts";
import type { PastClick } from "./past-click.ts";

type Outcome = ReturnType<typeof outcomesOf>;

/** Moved clicks and unknown clicks have at most this many examples each. */
export const maxExamples = 5;

/** Clicks of one kind with where they go; null where it cannot be told. */
interface Decided {
  click: PastClick;
  before: string | null;
  after: string | null;
}

/** Adds up where clicks go, with the largest kinds of those that go elsewhere and of those that are unknown. */
export async function compare(past: readonly PastClick[], before: Outcome, after: Outcome) {
  const sums = { clicks: 0, moved: 0, unknown: 0 };
  const moved: Decided[] = [];
  const unknown: Decided[] = [];
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
      unknown.push({ click, before: from, after: to });
      return;
    }
    if (from !== to) {
      sums.moved += click.clicks;
      moved.push({ click, before: from, after: to });
    }
    at(from).before += click.clicks;
    at(to).after += click.clicks;
  });
  const most = ({ before: one, after: other }: { before: number; after: number }) => Math.max(one, other);
  return {
    ...sums,
    destinations: [...destinations.values()].toSorted(
      (one, other) => most(other) - most(one) || other.after - one.after,
    ),
    examples: [...examplesOf(moved), ...examplesOf(unknown)],
  };
}

const examplesOf = (kinds: readonly Decided[]) =>
  kinds
    .toSorted((one, other) => other.click.clicks - one.click.clicks || other.click.time - one.click.time)
    .slice(0, maxExamples)
    .map(({ click, before, after }) => ({
      at: new Date(click.time).toISOString(),
      country: click.country || null,
      device: click.device || null,
      os: click.os || null,
      browser: click.browser || null,
      referrer: click.referrer || null,
      clicks: click.clicks,
      before,
      after,
    }));
