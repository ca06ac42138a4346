import type { QueryConfig } from "pg";
import { binaryBigints, binaryInts, quoted, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { setId } from "../../click-id.ts";
import type { Sums } from "../prepare/click-counts.ts";
import type { Batch, PreparedClick } from "../prepare/prepare.ts";

/**
 * One prepared statement with a whole batch as arrays. Ids are sent once each and referred to by their position, as reading them
 * costs PostgreSQL more than writing the rows. Most columns are made at once; the returned function makes the statement when it is
 * known which clicks are a new visitor's, by their positions.
 */
export function addClicks(
  { clicks, links, clientIds, referrerIds, campaignIds, botIds, placeIds }: Batch,
  sequences: Int32Array,
): (isUnique: Uint8Array) => QueryConfig {
  const ids = sqlArray(links.map(({ id }) => id));
  const column = (of: (click: PreparedClick, at: number) => number) =>
    ["int", binaryInts(clicks.length, (at) => of(clicks[at] as PreparedClick, at))] as const;
  /** Empty if it is `none` in all rows: then PostgreSQL takes null. */
  const rare = (none: number, of: (click: PreparedClick) => number) =>
    clicks.every((click) => of(click) === none) ? (["int", "{}"] as const) : column(of);
  const known = {
    id: [
      "bigint",
      binaryBigints(clicks.length, (index, words, at) =>
        setId((clicks[index] as PreparedClick).time, sequences[index] as number, words, at),
      ),
    ],
    link: column(({ period }) => period.link.position),
    account: column(({ period }) => period.account?.number ?? 0),
    client: column(({ client }) => clientIds.get(client) ?? 0),
    referrer: column(({ referrer }) => referrerIds.get(referrer) ?? 0),
    campaign: rare(0, ({ campaign }) => (campaign === null ? 0 : (campaignIds.get(campaign) ?? 0))),
    bot: rare(0, ({ bot }) => (bot === null ? 0 : (botIds.get(bot) ?? 0))),
    place: rare(0, ({ place }) => (place === null ? 0 : (placeIds.get(place) ?? 0))),
    variant: rare(-1, ({ variant }) => variant ?? -1),
  } as const;
  return (isUnique) => {
    const { table, values } = sqlColumns(2, {
      ...known,
      flags: column(({ is_bot }, at) => (is_bot ? botFlag : 0) | (isUnique[at] === 1 ? uniqueFlag : 0)),
    });
    return {
      name: "add-clicks",
      text: `insert into clicks (id, link_id, account_number, client_id, referrer_id, campaign_id, bot_id, place_id, variant, is_bot, is_unique)
             select id, ($1::uuid[])[link], nullif(account, 0), nullif(client, 0), nullif(referrer, 0), nullif(campaign, 0),
               nullif(bot, 0), nullif(place, 0), nullif(variant, -1)::smallint, flags & ${botFlag} > 0, flags & ${uniqueFlag} > 0
             from ${table}`,
      values: [ids, ...values],
    };
  };
}

const botFlag = 1;
const uniqueFlag = 2;

/** Notes the campaigns of a batch for the days that it counts; null if it has none. */
export function addLinkCampaigns({ clicks, links, days }: Batch): QueryConfig | null {
  const pairs = new Map<string, { link: number; day: number; text: string }>();
  for (const { period, campaign } of clicks) {
    if (campaign === null || campaign.text === null) continue;
    const { text } = campaign;
    const { position: link } = period.link;
    const { position: day } = period.day;
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

/** Clicks of people on a link, in a batch. */
export const clicksOf = (link: Sums): number => link.days().reduce((sum, { clicks }) => sum + clicks, 0);

/**
 * Adds a batch to the links' own counts, and notes when each was last clicked. Rows are locked by id, in the same order on
 * every node. Batches may come in any order.
 */
export function addClickCounts(links: readonly Sums[]): QueryConfig {
  const { table, values } = sqlColumns(1, {
    id: ["uuid", sqlArray(links.map(({ id }) => id))],
    clicks: ["int", sqlArray(links.map(clicksOf))],
    last_click: ["bigint", sqlArray(links.map(({ lastClick }) => lastClick || "null"))],
    fallbacks: ["int", sqlArray(links.map((link) => link.fallbacks))],
  });
  return {
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks, fallbacks = links.fallbacks + t.fallbacks,
             last_click_at = greatest(last_click_at, to_timestamp(t.last_click / 1000.0))
           from (
             select id, clicks, last_click, t.fallbacks from ${table} join links using (id) order by id for no key update of links
           ) t where links.id = t.id`,
    values,
  };
}
