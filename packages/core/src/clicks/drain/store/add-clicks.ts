import type { QueryConfig } from "pg";
import { binaryBigints, binaryInts, sqlArray, sqlColumns, sqlRows } from "../../../db/arrays.ts";
import { setId } from "../../click-id.ts";
import type { Batch, PreparedClick } from "../prepare/prepare.ts";

/**
 * One prepared statement with a whole batch as arrays. Ids are sent once each and referred to by their position, as reading them
 * costs PostgreSQL more than writing the rows. Most columns are made at once; the returned function makes the statement when it is
 * known which clicks are a new visitor's, by their positions.
 */
export function addClicks(
  { clicks, links }: Batch,
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
    client: column(({ client }) => client.id),
    referrer: column(({ referrer }) => referrer.id),
    campaign: rare(0, ({ campaign }) => campaign?.id ?? 0),
    bot: rare(0, ({ bot }) => bot?.id ?? 0),
    place: rare(0, ({ place }) => place?.id ?? 0),
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

/** Records the campaigns of a batch for the days it counts; null if it has none. */
export function addLinkCampaigns({ clicks }: Batch): QueryConfig | null {
  const rows = new Map<string, { link_id: string; day: string; text: string }>();
  for (const { period, campaign } of clicks) {
    if (campaign === null || campaign.text === null) continue;
    const { text } = campaign;
    const { id: link_id } = period.link;
    const { date: day } = period.day;
    rows.set(`${day} ${link_id} ${text}`, { link_id, day, text });
  }
  if (rows.size === 0) return null;
  const { table, values } = sqlRows(1, [...rows.values()], { link_id: "uuid", day: "date", text: "text" });
  return {
    name: "add-link-campaigns",
    // In the same order on every node, so that no two nodes wait for each other's rows.
    text: `insert into link_campaigns (link_id, day, campaign)
           select link_id, day, md5(text)::uuid from ${table} order by 1, 2, 3 on conflict do nothing`,
    values,
  };
}

/**
 * Adds a batch to the links' own counts, and records when each was last clicked. Rows are locked by id, in the same
 * order on every node. Batches may come in any order. Answers how many links have moved to another account since the
 * batch was prepared: its clicks would be counted for the old one.
 */
export function addClickCounts({ links, accountOf }: Pick<Batch, "links" | "accountOf">): QueryConfig {
  const rows = links.map(({ id, clicks, lastClick, fallbacks }) => {
    return { id, clicks, last_click: lastClick || null, fallbacks, account: accountOf.get(id)?.id ?? null };
  });
  const { table, values } = sqlRows(1, rows, {
    id: "uuid",
    clicks: "int",
    last_click: "bigint",
    fallbacks: "int",
    account: "uuid",
  });
  return {
    name: "add-click-counts",
    text: `with counted as (
             update links set click_count = click_count + t.clicks, fallbacks = links.fallbacks + t.fallbacks,
               last_click_at = greatest(last_click_at, to_timestamp(t.last_click / 1000.0))
             from (
               select id, clicks, last_click, t.fallbacks, account from ${table} join links using (id)
               order by id for no key update of links
             ) t where links.id = t.id returning links.account_id is distinct from account as moved
           )
           select count(*) filter (where moved)::int as moved from counted`,
    values,
  };
}
