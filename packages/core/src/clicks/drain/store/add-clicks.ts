import type { QueryConfig } from "pg";
import { binaryBigints, binaryInts, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { setId } from "../../click-id.ts";
import type { Batch, PreparedClick } from "../prepare/prepare.ts";

/**
 * One prepared statement with a whole batch as arrays. Ids are sent once each and referred to by their place, as reading them
 * costs PostgreSQL more than writing the rows. Most columns are made at once; the returned function makes the statement when it is
 * known which clicks are a new visitor's, by their places.
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
    link: column(({ slot }) => slot.link.place),
    account: column(({ slot }) => slot.account?.number ?? 0),
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
