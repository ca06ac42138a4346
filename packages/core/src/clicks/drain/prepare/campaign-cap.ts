import type { Pool, QueryConfig } from "pg";
import { quoted, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import type { Batch } from "./prepare.ts";
import type { Slot } from "./slots.ts";
import type { DayValues } from "./tally.ts";

/** Campaigns that are counted apart, per link and UTC day. Anyone can invent more, and each one is kept permanently. */
export const maxCampaigns = 1000;

/** The campaigns of one link on one UTC day in a batch, as texts. */
interface Arrivals {
  linkId: string;
  /** YYYY-MM-DD */
  date: string;
  /** Clicks by campaign */
  clicks: Map<string, number>;
  /** Campaigns over the limit */
  surplus: ReadonlySet<string>;
}

/** Decides which campaigns of a batch are counted apart. Two batches at the same time together can exceed the limit. */
export class CampaignCap {
  readonly #arrivals = new Map<DayValues, Arrivals>();

  /** Adds a click; all clicks of a batch are added before `decide`. */
  add({ link, day }: Slot, campaign: string | null): void {
    if (campaign === null) return;
    const values = link.day(day.place);
    let one = this.#arrivals.get(values);
    if (one === undefined) {
      one = { linkId: link.id, date: day.date, clicks: new Map(), surplus: new Set() };
      this.#arrivals.set(values, one);
    }
    one.clicks.set(campaign, (one.clicks.get(campaign) ?? 0) + 1);
  }

  /** Those that the link already has on that day stay, then the new ones with the most clicks while there is room. */
  async decide(pool: Pool): Promise<void> {
    const arrivals = [...this.#arrivals.values()];
    if (arrivals.length === 0) return;
    for (const { at, known, stored } of await storedOf(pool, arrivals)) {
      const one = arrivals[at] as Arrivals;
      const before = new Set(known);
      const added = [...one.clicks].filter(([campaign]) => !before.has(campaign));
      const room = Math.max(0, maxCampaigns - stored);
      if (added.length <= room) continue;
      added.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      one.surplus = new Set(added.slice(room).map(([campaign]) => campaign));
    }
  }

  keeps({ link, day }: Slot, campaign: string): boolean {
    return this.#arrivals.get(link.day(day.place))?.surplus.has(campaign) !== true;
  }
}

/** Of each link and day, the number of campaigns that are stored, and those of the batch that are among them. */
async function storedOf(pool: Pool, arrivals: readonly Arrivals[]) {
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
  return rows;
}

/** Notes the campaigns of a batch for the days that it counts; null if it has none. */
export function addLinkCampaigns({ clicks, links, days }: Batch): QueryConfig | null {
  const pairs = new Map<string, { link: number; day: number; text: string }>();
  for (const { slot, campaign } of clicks) {
    if (campaign === null || campaign.text === null) continue;
    const { text } = campaign;
    const { place: link } = slot.link;
    const { place: day } = slot.day;
    pairs.set(`${day} ${link} ${text}`, { link, day, text });
  }
  if (pairs.size === 0) return null;
  const rows = [...pairs.values()];
  const { table, values } = sqlColumns(3, {
    link: ["int", sqlArray(rows.map(({ link }) => link))],
    day: ["int", sqlArray(rows.map(({ day }) => day))],
    campaign: ["text", sqlArray(rows.map(({ text }) => quoted(text)))],
  });
  return {
    name: "add-link-campaigns",
    // In the same order on every node, so that no two nodes wait for each other's rows.
    text: `insert into link_campaigns (link_id, day, campaign)
           select ($1::uuid[])[link], ($2::date[])[day], md5(campaign)::uuid from ${table}
           order by 1, 2, 3 on conflict do nothing`,
    values: [sqlArray(links.map(({ id }) => id)), sqlArray(days.map(({ date }) => date)), ...values],
  };
}

/** Rows of one delete, during which counting waits. */
const maxDeleted = 50_000;

/** Deletes a limited number of the notes for days before `day`, and returns the number. */
export async function deleteSomeLinkCampaignsBefore(pool: Pool, day: string): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from link_campaigns where ctid = any(array(
       select ctid from link_campaigns where day < $1 limit ${maxDeleted}))`,
    [day],
  );
  return rowCount ?? 0;
}
