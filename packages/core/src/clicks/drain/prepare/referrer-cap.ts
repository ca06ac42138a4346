import type { Pool } from "pg";
import { otherReferrers } from "../../derive/index.ts";
import type { Slot } from "./slots.ts";
import { quoted, sqlArray, sqlColumns } from "../../../db/sql-array.ts";
import type { DayValues } from "./tally.ts";

/** Referrers that are counted apart, per link and UTC day. Anyone can invent more, and each one is kept permanently. */
export const maxReferrers = 1000;

/** The referrers of one link on one UTC day in a batch. */
interface Arrivals {
  linkId: string;
  /** YYYY-MM-DD */
  date: string;
  /** Clicks by referrer, without those that had none */
  clicks: Map<string, number>;
  /** Referrers over the limit */
  surplus: ReadonlySet<string>;
}

/** Names the referrers of a batch; those over the limit become `otherReferrers`. */
export class ReferrerCap {
  readonly #arrivals = new Map<DayValues, Arrivals>();

  /** Adds a click; all clicks of a batch are added before `decide`. Bots have no referrer. */
  add({ link, day }: Slot, referrer: string | null): void {
    if (referrer === null) return;
    const values = link.day(day.place);
    let one = this.#arrivals.get(values);
    if (one === undefined)
      this.#arrivals.set(
        values,
        (one = { linkId: link.id, date: day.date, clicks: new Map(), surplus: new Set() }),
      );
    one.clicks.set(referrer, (one.clicks.get(referrer) ?? 0) + 1);
  }

  /**
   * Decides which referrers keep their names: those that the link already has on that day, then the new ones with the
   * most clicks while there is room. Batches that are prepared at the same time do not see each other's referrers, so
   * together they can exceed the limit.
   */
  async decide(pool: Pool): Promise<void> {
    const full = await nearlyFull(pool, [...this.#arrivals.values()]);
    for (const { one, known, stored } of await withNewReferrers(pool, full)) {
      const before = new Set(known);
      const added = [...one.clicks].filter(([referrer]) => !before.has(referrer));
      const room = Math.max(0, maxReferrers - stored);
      if (room > 0) added.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      one.surplus = new Set(added.slice(room).map(([referrer]) => referrer));
    }
  }

  nameOf({ link, day }: Slot, referrer: string | null): string | null {
    if (referrer === null) return null;
    return this.#arrivals.get(link.day(day.place))?.surplus.has(referrer) ? otherReferrers : referrer;
  }
}

/** Selects links that may exceed the limit. A link has no more referrers than clicks, so almost none need a closer look. */
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

/** Selects links with a new referrer on that day, with the referrers already known and the number stored in all. */
async function withNewReferrers(pool: Pool, arrivals: readonly Arrivals[]) {
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
    name: "link-days-with-new-referrers",
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
