import type { Pool } from "pg";
import { otherReferrers } from "../../derive/referrer.ts";
import { packedCodes } from "../../dimensions.ts";
import { readPacked } from "../../packed/sums.ts";
import type { Slot } from "./slots.ts";
import { quoted, sqlArray, sqlColumns } from "../../../db/arrays.ts";
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
  #hasSurplus = false;

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
      this.#hasSurplus ||= one.surplus.size > 0;
    }
  }

  nameOf({ link, day }: Slot, referrer: string | null): string | null {
    if (referrer === null || !this.#hasSurplus) return referrer;
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

/** A link's referrers on a day, of those that count for the limit: some of them, and the number of all. */
interface Stored {
  one: Arrivals;
  known: readonly string[];
  stored: number;
}

/** Selects links with a new referrer on that day, with those of their referrers that are already known. */
async function withNewReferrers(pool: Pool, arrivals: readonly Arrivals[]): Promise<Stored[]> {
  if (arrivals.length === 0) return [];
  const idOf = await referrerIds(pool, new Set(arrivals.flatMap(({ clicks }) => [...clicks.keys()])));
  const unlimited = new Set([idOf.get(""), idOf.get(otherReferrers)]);
  const { table, values } = sqlColumns(1, {
    at: ["int", sqlArray(arrivals.keys().toArray())],
    link_id: ["uuid", sqlArray(arrivals.map(({ linkId }) => linkId))],
    day: ["date", sqlArray(arrivals.map(({ date }) => date))],
  });
  const { rows } = await pool.query<{ at: number; packed: Buffer | null; rows: string[] | null }>({
    name: "referrers-of-link-days",
    text: `select at, packed, (
             select array_agg(value) from link_day_values v
             where v.link_id = t.link_id and v.day = t.day and dimension = 'referrer'
           ) as rows
           from ${table} left join link_days using (link_id, day)`,
    values,
  });
  return rows.flatMap(({ at, packed, rows: counted }) => {
    const one = arrivals[at] as Arrivals;
    const ids = packed === null ? new Set<number>() : referrersIn(packed);
    const texts = new Set(counted);
    const isKnown = (referrer: string) => texts.has(referrer) || ids.has(idOf.get(referrer) ?? 0);
    const known = [...one.clicks.keys()].filter(isKnown);
    if (known.length === one.clicks.size) return [];
    // A day that nodes of two versions counted may have a referrer in both forms, which then counts twice for the limit.
    const limited = (all: ReadonlySet<unknown>, none: ReadonlySet<unknown>) =>
      [...all].filter((each) => !none.has(each)).length;
    return { one, known, stored: limited(ids, unlimited) + limited(texts, new Set(["", otherReferrers])) };
  });
}

/** The ids of referrers in packed days, of those that have one; always with those that do not count for the limit. */
async function referrerIds(pool: Pool, referrers: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const texts = [...referrers, "", otherReferrers].map(quoted);
  const { rows } = await pool.query<{ id: number; value: string }>({
    name: "ids-of-referrers",
    text: "select id, value from click_values where dimension = 'referrer' and value = any($1::text[])",
    values: [sqlArray(texts)],
  });
  return new Map(rows.map(({ id, value }) => [value, id]));
}

function referrersIn(packed: Buffer): ReadonlySet<number> {
  const ids = new Set<number>();
  readPacked(packed, {
    value(dimension, id) {
      if (dimension === referrerCode) ids.add(id);
    },
  });
  return ids;
}

const referrerCode = packedCodes.get("referrer");
