import type { Base } from "../db/base.ts";
import type { Pool, PoolClient } from "pg";
import { channelOf } from "../clicks/derive/referrer.ts";
import { clientDimensions, type ListedDimension, listedDimensions } from "../clicks/dimensions.ts";
import { timeOfId } from "../clicks/click-id.ts";
import { inSnapshot } from "../db/connection.ts";
import { sqlArray, sqlColumns } from "../db/arrays.ts";
import { labelOf, unknown } from "./breakdowns.ts";
import type { ListedClick } from "./listed-click.schema.ts";
import { numberOf } from "./questions/conditions.ts";
import { idsInBlocks, type StoredClick, storedColumns } from "./stored-clicks.ts";
import { namedLinks } from "./top-links.ts";

/** A dimension is null if the database has lost its value. */
export type ClickRow = { id: string; link_id: string } & Record<ListedDimension, string | null>;

/** Adds the labels to clicks; `order` is "asc" or "desc" by id. Those with the same id stay in their order. */
export async function withLabels(
  database: Pick<PoolClient, "query">,
  clicks: readonly StoredClick[],
  order: "asc" | "desc",
): Promise<ClickRow[]> {
  const column = (of: (click: StoredClick) => string | number | null) =>
    sqlArray(clicks.map((click) => of(click) ?? "null"));
  const { table, values } = sqlColumns(1, {
    place: ["int", sqlArray([...clicks.keys()])],
    id: ["bigint", column(({ id }) => id)],
    own_link: ["uuid", column(({ link_id }) => link_id)],
    link: ["int", column(({ link }) => link)],
    client_id: ["int", column(({ client_id }) => client_id)],
    referrer_id: ["int", column(({ referrer_id }) => referrer_id)],
  });
  const { rows } = await database.query<ClickRow>({
    name: `labelled-clicks-${order}`,
    text: `select t.id, coalesce(own_link, v.value::uuid) as link_id, ${clientDimensions.join()}, referrer,
             coalesce(channel, '') as channel
           from ${table}
             left join click_values v on v.id = link
             left join click_clients on click_clients.id = client_id
             left join click_referrers on click_referrers.id = referrer_id
           order by t.id ${order}, place`,
    values,
  });
  return rows;
}

/** Turns rows into what clients see, without those of links that are forgotten. */
export async function toListedClicks(
  database: Pick<PoolClient, "query">,
  deps: Pick<Base, "shortHost">,
  rows: readonly ClickRow[],
): Promise<ListedClick[]> {
  const listed = await listedClicks(database, deps, rows);
  return listed.filter((click) => click !== null);
}

/** The same, with null for clicks on links that are forgotten. */
export async function listedClicks(
  database: Pick<PoolClient, "query">,
  deps: Pick<Base, "shortHost">,
  rows: readonly ClickRow[],
): Promise<(ListedClick | null)[]> {
  const links = await namedLinks(database, deps, [...new Set(rows.map(({ link_id }) => link_id))]);
  return rows.map((row) => {
    const link = links.get(row.link_id);
    if (!link) return null;
    return {
      id: row.id,
      timestamp: new Date(timeOfId(row.id)).toISOString(),
      link_id: row.link_id,
      slug: link.slug,
      shortUrl: link.shortUrl,
      ...labelsOf(row),
    };
  });
}

/**
 * Reads clicks of people of an account by their ids, oldest first. Those past their retention are left out. Drains of two processes
 * may give the same id to clicks of two accounts, or of a person and a bot.
 */
export const clicksById = (
  pool: Pool,
  deps: Pick<Base, "shortHost">,
  accountId: string,
  ids: readonly string[],
): Promise<ListedClick[]> =>
  inSnapshot(pool, async (database) => {
    const account = await numberOf(database, accountId);
    const { rows } = await database.query<StoredClick>({
      name: "clicks-by-id",
      text: `select ${storedColumns} from clicks
             where account_number = $1 and not is_bot and id = any ($2::bigint[])`,
      values: [account, ids],
    });
    const known = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    const packed = await idsInBlocks(database, account, missing);
    const labelled = await withLabels(database, [...rows, ...packed], "asc");
    return toListedClicks(database, deps, labelled.map(withChannel));
  });

/** The channel as it is derived now, which the stored one may precede. */
export const withChannel = (row: ClickRow): ClickRow => ({
  ...row,
  channel: row.referrer === null ? null : channelOf(row.referrer),
});

const labelsOf = (row: Record<ListedDimension, string | null>) =>
  Object.fromEntries(
    listedDimensions.map((dimension) => {
      const value = row[dimension];
      return [dimension, value === null ? unknown : labelOf(dimension, value)];
    }),
  ) as Record<ListedDimension, string>;
