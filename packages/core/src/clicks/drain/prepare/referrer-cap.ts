import type { Pool } from "pg";
import { otherReferrers } from "../../derive/index.ts";
import type { Slot } from "./slots.ts";
import { quoted, sqlArray, sqlColumns } from "../../../db/sql-array.ts";
import type { DaySums } from "./tally.ts";

/** So many referrers of a link are told apart on a UTC day: anybody can make up more, and each is kept for ever. */
export const maxReferrers = 1000;

/** Where people in a batch came from to one link on one UTC day. */
interface Arrivals {
  linkId: string;
  /** YYYY-MM-DD */
  date: string;
  /** Clicks by referrer, of those that had one */
  clicks: Map<string, number>;
  /** Referrers that are too many */
  surplus: ReadonlySet<string>;
}

/** What a batch's referrers are called: those that are too many are `otherReferrers`. */
export class ReferrerCap {
  readonly #arrivals = new Map<DaySums, Arrivals>();

  /** One click; all of a batch are noted before `settle`. Bots have no referrer. */
  note({ link, day }: Slot, referrer: string | null): void {
    if (referrer === null) return;
    const sums = link.day(day.place);
    let one = this.#arrivals.get(sums);
    if (one === undefined)
      this.#arrivals.set(
        sums,
        (one = { linkId: link.id, date: day.date, clicks: new Map(), surplus: new Set() }),
      );
    one.clicks.set(referrer, (one.clicks.get(referrer) ?? 0) + 1);
  }

  /**
   * Those that a link had on that day before are told apart further; of the new ones those with most clicks, while there
   * is room. Batches that are prepared at the same time do not see each other: each may bring as many.
   */
  async settle(pool: Pool): Promise<void> {
    const full = await nearlyFull(pool, [...this.#arrivals.values()]);
    for (const { one, known, stored } of await withFreshOnes(pool, full)) {
      const before = new Set(known);
      const fresh = [...one.clicks].filter(([referrer]) => !before.has(referrer));
      const room = Math.max(0, maxReferrers - stored);
      if (room > 0) fresh.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      one.surplus = new Set(fresh.slice(room).map(([referrer]) => referrer));
    }
  }

  nameOf({ link, day }: Slot, referrer: string | null): string | null {
    if (referrer === null) return null;
    return this.#arrivals.get(link.day(day.place))?.surplus.has(referrer) ? otherReferrers : referrer;
  }
}

/** There are no more referrers than clicks: hardly any link has to be looked at closely. */
async function nearlyFull(pool: Pool, arrivals: readonly Arrivals[]): Promise<readonly Arrivals[]> {
  if (arrivals.length === 0) return [];
  const { table, values } = sqlColumns(2, {
    at: ["int", sqlArray(arrivals.keys().toArray())],
    link_id: ["uuid", sqlArray(arrivals.map(({ linkId }) => linkId))],
    day: ["date", sqlArray(arrivals.map(({ date }) => date))],
    referrers: ["int", sqlArray(arrivals.map(({ clicks }) => clicks.size))],
  });
  const { rows } = await pool.query<{ at: number }>({
    name: "link-days-nearly-full",
    text: `select at from ${table} left join link_days using (link_id, day)
           where coalesce(clicks, 0) + referrers > $1::int`,
    values: [maxReferrers, ...values],
  });
  return rows.map(({ at }) => arrivals[at] as Arrivals);
}

/** Those with a referrer that the link has not had on that day; which of theirs it has had, and how many in all. */
async function withFreshOnes(pool: Pool, arrivals: readonly Arrivals[]) {
  if (arrivals.length === 0) return [];
  const pairs = arrivals.flatMap(({ linkId, date, clicks }, at) =>
    Array.from(clicks.keys(), (referrer) => ({ at, linkId, date, referrer })),
  );
  const { table, values } = sqlColumns(2, {
    at: ["int", sqlArray(pairs.map(({ at }) => at))],
    link_id: ["uuid", sqlArray(pairs.map(({ linkId }) => linkId))],
    day: ["date", sqlArray(pairs.map(({ date }) => date))],
    referrer: ["text", sqlArray(pairs.map(({ referrer }) => quoted(referrer)))],
  });
  const { rows } = await pool.query<{ at: number; known: string[]; stored: number }>({
    name: "link-days-with-fresh-referrers",
    text: `select at, known, (
             select count(*)::int from link_day_values v
             where v.link_id = f.link_id and v.day = f.day and dimension = 'referrer' and value <> all($1::text[])
           ) as stored
           from (
             select at, t.link_id, t.day, array_remove(array_agg(value), null) as known
             from ${table} left join link_day_values v
               on v.link_id = t.link_id and v.day = t.day and dimension = 'referrer' and value = referrer
             group by 1, 2, 3 having count(*) > count(value)
           ) f`,
    values: [["", otherReferrers], ...values],
  });
  return rows.map(({ at, ...found }) => ({ one: arrivals[at] as Arrivals, ...found }));
}
