import type { Rhythm } from "./data/featured.ts";
import { dayMs, type Period, type Target } from "./plan-links.ts";
import { Random, Weights } from "../clicks/random.ts";
import { createVisitors, type Visitor } from "./visitors.ts";

/** A visit of a target at a time. */
export interface Visit<T extends Target> extends Visitor {
  target: T;
  /** Milliseconds since the epoch */
  time: number;
}

/** How many visits to draw. */
export interface Amount {
  people: number;
  bots: number;
}

const hourMs = 3_600_000;

/** Share of a day's visits by hour of the visitor's clock, from midnight on. */
const hours = new Weights([
  1.4, 0.9, 0.6, 0.5, 0.5, 0.8, 1.6, 3, 4.4, 5.4, 5.8, 5.7, 5.9, 5.6, 5.3, 5.2, 5.1, 5.3, 5.6, 6, 6.3, 5.8,
  4.3, 2.6,
]);

/** By day of the week, Sunday first. */
const weekdays = [0.66, 1.02, 1.12, 1.1, 1.08, 0.98, 0.7];

/** Relative number of visits by days since creation. */
const activity: Record<Rhythm, (age: number) => number> = {
  launch: (age) => 0.1 + 16 * Math.exp(-age / 4),
  mailing: (age) => 0.1 + 12 * Math.exp(-(age % 28) / 1.5),
  steady: () => 1,
};

/**
 * Draws visits, day by day: popular targets get most of them, launches fade, weekends are quiet, and traffic grows over
 * the period. The same for the same seed, targets and period, and exactly as many as asked for.
 */
export function* planVisits<T extends Target>(
  targets: readonly T[],
  { people, bots }: Amount,
  period: Period,
  seed: number,
): Generator<Visit<T>, void> {
  if (people + bots === 0) return;
  const days = Math.ceil((period.to - period.from) / dayMs);
  const cells = new Weights(cellWeights(targets, days, period, new Random(seed, 2)));
  const visitors = createVisitors(seed);
  const draws = new Random(seed, 3);
  const drawn = Uint32Array.from({ length: people + bots }, () => cells.draw(draws));
  for (const at of byDay(drawn, targets.length, days)) {
    const cell = drawn[at] as number;
    const day = Math.floor(cell / targets.length);
    const target = targets[cell % targets.length] as T;
    const random = new Random(seed, 4, at);
    let visitor: Visitor;
    if (at < people) {
      // Some visitors are drawn twice: about a sixth of a popular link's clicks on a day are not unique.
      const population = Math.ceil(2.5 * cells.share(cell) * people);
      visitor = visitors.person(target, new Random(seed, 5, cell, random.below(population)));
    } else visitor = visitors.bot(target, random);
    yield { ...visitor, target, time: timeOf(visitor, period.from + day * dayMs, target, random) };
  }
}

/** Yields a weight for each target of the first day, then of the next. Days are 24 hours counted from the period's start. */
function* cellWeights(targets: readonly Target[], days: number, period: Period, random: Random) {
  for (let day = 0; day < days; day++) {
    const from = period.from + day * dayMs;
    const weekday = weekdays[new Date(from + dayMs / 2).getUTCDay()] as number;
    const growth = 1 + (0.6 * day) / days;
    const noise = 0.88 + 0.24 * random.next();
    for (const { weight, life, rhythm } of targets) {
      const alive = Math.min(life.to, from + dayMs, period.to) - Math.max(life.from, from);
      const age = Math.max(0, (from - life.from) / dayMs);
      yield alive <= 0 ? 0 : weight * activity[rhythm](age) * weekday * growth * noise * (alive / dayMs);
    }
  }
}

/** Returns indexes into `drawn`, those of the first day first. */
function byDay(drawn: Uint32Array, targets: number, days: number): number[] {
  const order: number[][] = Array.from({ length: days }, () => []);
  for (const [at, cell] of drawn.entries()) order[Math.floor(cell / targets)]?.push(at);
  return order.flat();
}

/** Draws a time within 24 hours from `from` and within the target's life; most are in the visitor's daytime. */
function timeOf({ offset }: Visitor, from: number, { life }: Target, random: Random): number {
  const here = (hours.draw(random) + random.next()) * hourMs;
  const timeOfDay = (((here - offset * hourMs - from) % dayMs) + dayMs) % dayMs;
  const time = Math.floor(from + timeOfDay);
  if (time >= life.from && time < life.to) return time;
  const first = Math.max(life.from, from);
  const last = Math.min(life.to, from + dayMs);
  return Math.floor(first + random.next() * (last - first));
}
