import type { Pool } from "pg";
import { quoted, sqlArray, sqlRows } from "../../../db/arrays.ts";
import { otherReferrers } from "../../derive/referrer.ts";
import { packedCodes } from "../../dimensions.ts";
import { readPacked } from "../../packed/sums.ts";
import type { DayCounts, LinkPeriod } from "./click-counts.ts";

/** Referrers that are counted apart, per link and UTC day. Anyone can invent more, and each one is kept permanently. */
const maxReferrers = 1000;
/** The same for campaigns. */
const maxCampaigns = 1000;

/** The values of one link on one UTC day in a batch: referrers, or campaigns as texts. */
interface LinkValues {
  link_id: string;
  /** YYYY-MM-DD */
  day: string;
  /** Clicks by value, without those that had none */
  clicks: Map<string, number>;
  /** Values over the limit */
  surplus: ReadonlySet<string>;
}

/** A link's values on a day that count towards the limit: those of the batch, and the number of all. */
interface Stored {
  values: LinkValues;
  known: readonly string[];
  stored: number;
}

type StoredOf = (pool: Pool, values: readonly LinkValues[]) => Promise<readonly Stored[]>;

/**
 * Decides which values of a batch are counted apart. Batches that are prepared at the same time do not see each other's values, so
 * together they can exceed the limit. `storedOf` may leave out links that cannot exceed it.
 */
function createCap(max: number, storedOf: StoredOf) {
  /** By the counts of the link's day */
  const all = new Map<DayCounts | undefined, LinkValues>();
  let hasSurplus = false;
  return {
    /** Adds a click; all clicks of a batch are added before `decide`. */
    add({ link, day, days }: LinkPeriod, value: string | null): void {
      if (value === null) return;
      let values = all.get(days[0]);
      if (values === undefined) {
        values = { link_id: link.id, day: day.date, clicks: new Map(), surplus: new Set() };
        all.set(days[0], values);
      }
      values.clicks.set(value, (values.clicks.get(value) ?? 0) + 1);
    },

    /** Values that the link already has on that day stay; new ones with the most clicks are added while there is room. */
    async decide(pool: Pool): Promise<void> {
      if (all.size === 0) return;
      for (const { values, known, stored } of await storedOf(pool, [...all.values()])) {
        const before = new Set(known);
        const added = [...values.clicks].filter(([value]) => !before.has(value));
        const room = Math.max(0, max - stored);
        if (added.length <= room) continue;
        if (room > 0) added.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
        values.surplus = new Set(added.slice(room).map(([value]) => value));
        hasSurplus = true;
      }
    },

    /** Whether a value is over the limit. */
    isSurplus: ({ days }: LinkPeriod, value: string): boolean =>
      hasSurplus && all.get(days[0])?.surplus.has(value) === true,
  };
}

export const createReferrerCap = () => createCap(maxReferrers, storedReferrers);
export const createCampaignCap = () => createCap(maxCampaigns, storedCampaigns);

/** A link has no more referrers than clicks, so that the packed days of almost none are read. */
async function storedReferrers(pool: Pool, all: readonly LinkValues[]): Promise<Stored[]> {
  const days = all.map(({ clicks, ...day }, at) => ({ ...day, at, referrers: clicks.size }));
  const { table, values } = sqlRows(2, days, { at: "int", link_id: "uuid", day: "date", referrers: "int" });
  const { rows } = await pool.query<{ at: number; packed: Buffer | null }>({
    name: "link-days-nearly-full",
    text: `select at, packed from ${table} left join link_days using (link_id, day)
           where coalesce(clicks, 0) + referrers > $1::int`,
    values: [maxReferrers, ...values],
  });
  if (rows.length === 0) return [];
  const nearlyFull = rows.map(({ at, packed }) => ({ packed, values: all[at] as LinkValues }));
  const idOf = await referrerIds(pool, new Set(nearlyFull.flatMap((day) => [...day.values.clicks.keys()])));
  const unlimited = new Set([idOf.get(""), idOf.get(otherReferrers)]);
  return nearlyFull.map((day) => {
    const ids = day.packed === null ? new Set<number>() : referrersIn(day.packed);
    const known = [...day.values.clicks.keys()].filter((referrer) => ids.has(idOf.get(referrer) ?? 0));
    return { values: day.values, known, stored: [...ids].filter((id) => !unlimited.has(id)).length };
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

async function storedCampaigns(pool: Pool, all: readonly LinkValues[]): Promise<Stored[]> {
  const pairs = all.flatMap(({ clicks, ...day }, at) =>
    Array.from(clicks.keys(), (campaign) => ({ ...day, at, campaign })),
  );
  const { table, values } = sqlRows(1, pairs, { at: "int", link_id: "uuid", day: "date", campaign: "text" });
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
  return rows.map(({ at, ...found }) => ({ values: all[at] as LinkValues, ...found }));
}
