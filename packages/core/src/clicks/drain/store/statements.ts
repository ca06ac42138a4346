import type { QueryConfig } from "pg";
import type { Batch, PreparedClick } from "../prepare/prepare.ts";
import { sqlArray, sqlColumns } from "../../../db/sql-array.ts";

/**
 * Statements of the drain's transaction: one prepared statement for each table, with a whole batch as arrays. Ids and
 * days are sent once each and referred to by their place, as reading them costs PostgreSQL more than writing the rows.
 */

export function addVisitors({ visitors, days }: Batch): QueryConfig {
  const { table, values } = sqlColumns(2, {
    day: ["int", sqlArray(Array.from(visitors.values(), ({ slot }) => slot.day.place))],
    visitor: ["bigint", sqlArray([...visitors.keys()])],
  });
  return {
    name: "add-visitors",
    text: `with added as (
             insert into click_visitors (day, visitor)
             select ($1::date[])[day], visitor from ${table}
             order by 1, 2 on conflict do nothing returning visitor
           ) select string_agg(visitor::text, ',') as visitors from added`,
    values: [sqlArray(days.map(({ date }) => date)), ...values],
  };
}

/** Makes most columns at once; the returned function makes the statement when the new visitors are known. */
export function addClicks(
  { clicks, links, clientIds, referrerIds, campaignIds, botIds, placeIds }: Batch,
  clickIds: readonly string[],
): (isUnique: (click: PreparedClick) => boolean) => QueryConfig {
  const ids = sqlArray(links.map(({ id }) => id));
  const known = {
    id: ["bigint", sqlArray(clickIds)],
    link: ["int", sqlArray(clicks.map(({ slot }) => slot.link.place))],
    account_number: ["int", sqlArray(clicks.map(({ slot }) => slot.account?.number ?? "null"))],
    client_id: ["int", sqlArray(clicks.map(({ client }) => clientIds.get(client) ?? "null"))],
    referrer_id: ["int", sqlArray(clicks.map(({ referrer }) => referrerIds.get(referrer) ?? "null"))],
    campaign_id: [
      "int",
      sqlArray(clicks.map(({ campaign }) => (campaign ? (campaignIds.get(campaign) ?? "null") : "null"))),
    ],
    bot_id: ["int", sqlArray(clicks.map(({ bot }) => (bot ? (botIds.get(bot) ?? "null") : "null")))],
    place_id: [
      "int",
      sqlArray(clicks.map(({ place }) => (place ? (placeIds.get(place) ?? "null") : "null"))),
    ],
    variant: ["smallint", sqlArray(clicks.map(({ variant }) => variant ?? "null"))],
    is_bot: ["bool", sqlArray(clicks.map(({ is_bot }) => is_bot))],
  } as const;
  return (isUnique) => {
    const { table, values } = sqlColumns(2, {
      ...known,
      is_unique: ["bool", sqlArray(clicks.map(isUnique))],
    });
    return {
      name: "add-clicks",
      text: `insert into clicks (id, link_id, account_number, client_id, referrer_id, campaign_id, bot_id, place_id, variant, is_bot, is_unique)
             select id, ($1::uuid[])[link], account_number, client_id, referrer_id, campaign_id, bot_id, place_id, variant, is_bot, is_unique
             from ${table}`,
      values: [ids, ...values],
    };
  };
}
