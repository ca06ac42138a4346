import * as z from "zod";
import {
  channelOf,
  clientDimensions,
  type ListedDimension,
  listedDimensions,
  timeOfId,
} from "../clicks/index.ts";
import { inSnapshot } from "../db/snapshot.ts";
import { requires } from "../rpc/procedure.ts";
import { timestamp } from "../validation/strings.ts";
import { labelOf } from "./breakdowns.ts";
import { namedLinks } from "./top-links.ts";

const maxClicks = 20;

const labels = Object.fromEntries(listedDimensions.map((dimension) => [dimension, z.string()])) as Record<
  ListedDimension,
  z.ZodString
>;

/** Returns the last clicks, without bots, newest first. */
export const realtime = requires("realtime")
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/realtime",
      tags: ["Analytics"],
      summary: "See the last clicks",
      description: "A click appears within two seconds.",
      successDescription: "The last 20 clicks, newest first",
    },
  })
  .output(
    z.array(
      z.object({
        id: z.string(),
        timestamp,
        link_id: z.string(),
        slug: z.string(),
        shortUrl: z.string(),
        ...labels,
      }),
    ),
  )
  .query(({ ctx: { deps, account } }) =>
    inSnapshot(deps.pool, async (database) => {
      const { rows } = await database.query<Row>({
        name: "last-clicks",
        text: `select c.id, link_id, ${clientDimensions.join()}, referrer from (
                 select id, link_id, client_id, referrer_id from clicks
                 where account_number = (select number from users where id = $1) and not is_bot
                 order by id desc limit ${maxClicks}
               ) c join click_clients on click_clients.id = client_id
                 join click_referrers on click_referrers.id = referrer_id
               order by c.id desc`,
        values: [account.id],
      });
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
          ...labelsOf({ ...row, channel: channelOf(row.referrer) }),
        };
      });
    }),
  );

type Row = { id: string; link_id: string } & Record<Exclude<ListedDimension, "channel">, string>;

const labelsOf = (row: Record<ListedDimension, string>) =>
  Object.fromEntries(
    listedDimensions.map((dimension) => [dimension, labelOf(dimension, row[dimension])]),
  ) as Record<ListedDimension, string>;
