import type { PoolClient } from "pg";
import {
  channelOf,
  clientDimensions,
  type ListedDimension,
  listedDimensions,
  timeOfId,
} from "../clicks/index.ts";
import type { Deps } from "../deps.ts";
import { labelOf, unknown } from "./breakdowns.ts";
import type { ListedClick } from "./listed-click.schema.ts";
import { namedLinks } from "./top-links.ts";

/** A dimension is null if the database has lost its value. */
export type ClickRow = { id: string; link_id: string } & Record<ListedDimension, string | null>;

/** SQL that adds the labels to rows of `clicks`; `order` is "asc" or "desc" by time. */
export const withLabels = (from: string, order: "asc" | "desc") =>
  `select c.id, link_id, ${clientDimensions.join()}, referrer, coalesce(channel, '') as channel from (${from}) c
     left join click_clients on click_clients.id = client_id
     left join click_referrers on click_referrers.id = referrer_id
   order by c.id ${order}`;

/** Turns rows into what clients see, without those of links that are forgotten. */
export async function toListedClicks(
  database: Pick<PoolClient, "query">,
  deps: Pick<Deps, "shortHost">,
  rows: readonly ClickRow[],
): Promise<ListedClick[]> {
  const links = await namedLinks(database, deps, [...new Set(rows.map(({ link_id }) => link_id))]);
  return rows.flatMap((row) => {
    const link = links.get(row.link_id);
    if (!link) return [];
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

/** Reads clicks by their ids, oldest first. Those past their retention are left out. */
export async function clicksById(
  database: Pick<PoolClient, "query">,
  deps: Pick<Deps, "shortHost">,
  ids: readonly string[],
): Promise<ListedClick[]> {
  const { rows } = await database.query<ClickRow>({
    name: "clicks-by-id",
    text: withLabels(
      "select id, link_id, client_id, referrer_id from clicks where id = any ($1::bigint[])",
      "asc",
    ),
    values: [ids],
  });
  return toListedClicks(database, deps, rows.map(withChannel));
}

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
