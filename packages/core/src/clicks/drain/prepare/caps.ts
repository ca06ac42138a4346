import type { Pool } from "pg";
import { quoted, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { otherReferrers } from "../../derive/referrer.ts";
import { packedCodes } from "../../dimensions.ts";
import { readPacked } from "../../packed/sums.ts";
import type { DayValues, LinkPeriod } from "./click-counts.ts";

/** Referrers that are counted apart, per link and UTC day. Anyone can invent more, and each one is kept permanently. */
export const maxReferrers = 1000;
/** The same for campaigns. */
export const maxCampaigns = 1000;

/** The values of one link on one UTC day in a batch: referrers, or campaigns as texts. */
interface Arrivals {
  linkId: string;
  /** YYYY-MM-DD */
  date: string;
  /** Clicks by value, without those that had none */
  clicks: Map<string, number>;
  /** Values over the limit */
  surplus: ReadonlySet<string>;
}

/** What a link has on a day, of the values that count for the limit: some of them, and the number of all. */
interface Stored {
  one: Arrivals;
  known: readonly string[];
  stored: number;
}

/**
 * Decides which values of a batch are counted apart. Batches that are prepared at the same time do not see each other's values, so
 * together they can exceed the limit.
 */
class ValueCap {
  readonly #arrivals = new Map<DayValues, Arrivals>();
  #hasSurplus = false;
  readonly #max: number;
  readonly #storedOf: (pool: Pool, arrivals: readonly Arrivals[]) => Promise<readonly Stored[]>;

  constructor(
    max: number,
    storedOf: (pool: Pool, arrivals: readonly Arrivals[]) => Promise<readonly Stored[]>,
  ) {
    this.#max = max;
    this.#storedOf = storedOf;
  }

  /** Adds a click; all clicks of a batch are added before `decide`. */
  add({ link, day }: LinkPeriod, value: string | null): void {
    if (value === null) return;
    const values = link.day(day.position);
    let one = this.#arrivals.get(values);
    if (one === undefined) {
      one = { linkId: link.id, date: day.date, clicks: new Map(), surplus: new Set() };
      this.#arrivals.set(values, one);
    }
    one.clicks.set(value, (one.clicks.get(value) ?? 0) + 1);
  }

  /** Those that the link already has on that day stay, then the new ones with the most clicks while there is room. */
  async decide(pool: Pool): Promise<void> {
    if (this.#arrivals.size === 0) return;
    for (const { one, known, stored } of await this.#storedOf(pool, [...this.#arrivals.values()])) {
      const before = new Set(known);
      const added = [...one.clicks].filter(([value]) => !before.has(value));
      const room = Math.max(0, this.#max - stored);
      if (added.length <= room) continue;
      if (room > 0) added.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      one.surplus = new Set(added.slice(room).map(([value]) => value));
      this.#hasSurplus = true;
    }
  }

  /** Whether a value is over the limit. */
  isSurplus({ link, day }: LinkPeriod, value: string): boolean {
    return this.#hasSurplus && this.#arrivals.get(link.day(day.position))?.surplus.has(value) === true;
  }
}

export const createReferrerCap = () =>
  new ValueCap(maxReferrers, async (pool, arrivals) =>
    withNewReferrers(pool, await nearlyFull(pool, arrivals)),
  );
export const createCampaignCap = () => new ValueCap(maxCampaigns, storedCampaigns);

/** Selects links that may exceed the limit. A link has no more referrers than clicks, so almost none need a closer look. */
async function nearlyFull(pool: Pool, arrivals: readonly Arrivals[]): Promise<readonly Arrivals[]> {
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
  const { rows } = await pool.query<{ at: number; packed: Buffer | null }>({
    name: "referrers-of-link-days",
    text: `select at, packed from ${table} left join link_days using (link_id, day)`,
    values,
  });
  return rows.flatMap(({ at, packed }) => {
    const one = arrivals[at] as Arrivals;
    const ids = packed === null ? new Set<number>() : referrersIn(packed);
    const known = [...one.clicks.keys()].filter((referrer) => ids.has(idOf.get(referrer) ?? 0));
    if (known.length === one.clicks.size) return [];
    return { one, known, stored: [...ids].filter((id) => !unlimited.has(id)).length };
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

/** Of each link and day, the number of campaigns that are stored, and those of the batch that are among them. */
async function storedCampaigns(pool: Pool, arrivals: readonly Arrivals[]): Promise<Stored[]> {
  const pairs = arrivals.flatMap(({ linkId, date, clicks }, at) =>
    Array.from(clicks.keys(), (campaign) => ({ at, linkId, date, campaign })),
  );
  const { table, values } = sqlColumns(1, {
    at: ["int", sqlArray(pairs.map(({ at }) => at))],
    link_id: ["uuid", sqlArray(pairs.map(({ linkId }) => linkId))],
    day: ["date", sqlArray(pairs.map(({ date }) => date))],
    campaign: ["text", sqlArray(pairs.map(({ campaign }) => quoted(campaign)))],
  });
  const { rows } = await pool.query<{ at: number; known: string[]; stored: number }>({
    name: "campaigns-of-link-days",
    text: `select at, known, (
             select count(*)::int from link_campaigns c where c.link_id = f.link_id and c.day = f.day
           ) as stored
           from (
             select at, t.link_id, t.day, array_remove(array_agg(case when c.link_id is not null then t.campaign end), null) as known
             from ${table} left join link_campaigns c
               on c.link_id = t.link_id and c.day = t.day and c.campaign = md5(t.campaign)::uuid
             group by 1, 2, 3
           ) f`,
    values,
  });
  return rows.map(({ at, ...found }) => ({ one: arrivals[at] as Arrivals, ...found }));
}
