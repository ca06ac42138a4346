import type { Value } from "./description.ts";
import type { Batch, PreparedClick } from "./prepare.ts";

/** What one link or one account got in a batch. */
export interface Sums {
  id: string;
  /** People's clicks; bots are none */
  clicks: number;
  /** By the hour's first millisecond */
  hours: Map<number, HourSums>;
  /** By UTC day and value */
  days: Map<string, Map<Value, number>>;
}

export interface HourSums {
  clicks: number;
  visitors: number;
  bots: number;
}

export interface Tally {
  links: readonly Sums[];
  accounts: readonly Sums[];
}

const hourMs = 3_600_000;

/** Sums a batch. Sorted by id, so that two nodes never wait for each other in a ring. */
export function tally({ clicks, accounts, variant }: Batch, unique: ReadonlySet<PreparedClick>): Tally {
  const links = new Map<string, Sums>();
  for (const click of clicks) {
    const sums = entry(links, click.link_id, newSums);
    const hour = entry(sums.hours, click.time - (click.time % hourMs), newHour);
    if (click.is_bot) {
      hour.bots += 1;
      continue;
    }
    sums.clicks += 1;
    hour.clicks += 1;
    if (unique.has(click)) hour.visitors += 1;
    const day = entry(sums.days, click.day.date, newDay);
    for (const value of click.client.values) add(day, value, 1);
    if (click.variant !== null) add(day, variant(click.variant), 1);
  }
  return { links: sorted(links), accounts: sorted(sumByAccount(links, accounts)) };
}

function sumByAccount(
  links: ReadonlyMap<string, Sums>,
  accounts: ReadonlyMap<string, string>,
): Map<string, Sums> {
  const result = new Map<string, Sums>();
  for (const link of links.values()) {
    const account = accounts.get(link.id);
    if (account === undefined) continue;
    const sums = entry(result, account, newSums);
    for (const [at, { clicks, visitors, bots }] of link.hours) {
      const hour = entry(sums.hours, at, newHour);
      hour.clicks += clicks;
      hour.visitors += visitors;
      hour.bots += bots;
    }
    for (const [date, counts] of link.days) {
      const day = entry(sums.days, date, newDay);
      // A variant means something within its link only.
      for (const [value, clicks] of counts) if (value.dimension !== "variant") add(day, value, clicks);
    }
  }
  return result;
}

const newSums = (id: string): Sums => ({ id, clicks: 0, hours: new Map(), days: new Map() });
const newHour = (): HourSums => ({ clicks: 0, visitors: 0, bots: 0 });
const newDay = () => new Map<Value, number>();

function entry<K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}

function add(day: Map<Value, number>, value: Value, clicks: number): void {
  day.set(value, (day.get(value) ?? 0) + clicks);
}

const sorted = (sums: ReadonlyMap<string, Sums>): Sums[] =>
  [...sums.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
