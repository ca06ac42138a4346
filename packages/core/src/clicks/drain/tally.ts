import type { StoredClick } from "./stored-click.ts";

/** Sums of a batch, ready for one statement a table. Sorted, so that two nodes never wait for each other in a ring. */
export interface Tally {
  hours: { id: string; hour: number; clicks: number; visitors: number; bots: number }[];
  days: { id: string; day: string; dimension: string; value: string; clicks: number }[];
  /** People's clicks by link; bots are none */
  counts: { id: string; clicks: number }[];
}

const hourMs = 3_600_000;
const dimensions = ["country", "device", "browser", "os", "referrer"] as const;

/** Sums clicks by link or by account; clicks without one are left out. */
export function tally(clicks: readonly StoredClick[], owner: "link_id" | "account_id"): Tally {
  const hours = new Map<string, Tally["hours"][number]>();
  const days = new Map<string, Tally["days"][number]>();
  const counts = new Map<string, Tally["counts"][number]>();
  for (const click of clicks) {
    const id = click[owner];
    if (id === null) continue;
    const hour = click.time - (click.time % hourMs);
    const row = entry(hours, `${id}${hour}`, () => ({ id, hour, clicks: 0, visitors: 0, bots: 0 }));
    if (click.is_bot) {
      row.bots++;
      continue;
    }
    row.clicks++;
    if (click.is_unique) row.visitors++;
    entry(counts, id, () => ({ id, clicks: 0 })).clicks++;
    for (const dimension of dimensions) {
      const value = click.client[dimension];
      entry(days, `${id}${click.day}${dimension}${value}`, () => ({
        id,
        day: click.day,
        dimension,
        value,
        clicks: 0,
      })).clicks++;
    }
    if (owner === "link_id" && click.variant !== null) {
      const value = String(click.variant);
      const key = `${id}${click.day}variant${value}`;
      entry(days, key, () => ({ id, day: click.day, dimension: "variant", value, clicks: 0 })).clicks++;
    }
  }
  return { hours: sorted(hours), days: sorted(days), counts: sorted(counts) };
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

const sorted = <T>(map: Map<string, T>): T[] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
