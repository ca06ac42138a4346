import * as z from "zod";
import { clientColumns, timeOfId } from "../clicks/index.ts";
import { inSnapshot } from "../db/snapshot.ts";
import { requires } from "../rpc/procedure.ts";
import { timestamp } from "../validation/strings.ts";
import { namedLinks } from "./top-links.ts";
import { labelOf } from "./values.ts";

const most = 20;

/** The last clicks of people, newest first, some moments after they were made. */
export const realtime = requires("realtime")
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/analytics/realtime",
      tags: ["Analytics"],
      summary: "See the last clicks",
      description: "A click is here within two seconds.",
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
        country: z.string(),
        device: z.string(),
        browser: z.string(),
        os: z.string(),
        referrer: z.string(),
      }),
    ),
  )
  .query(({ ctx: { deps, account } }) =>
    inSnapshot(deps.pool, async (database) => {
      const { rows } = await database.query<Row>({
        name: "last-clicks",
        text: `select c.id, link_id, ${clientColumns.join()}, referrer from (
                 select id, link_id, client_id, referrer_id from clicks
                 where account_number = (select number from users where id = $1) and not is_bot
                 order by id desc limit ${most}
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
          country: labelOf("country", row.country),
          device: labelOf("device", row.device),
          browser: labelOf("browser", row.browser),
          os: labelOf("os", row.os),
          referrer: labelOf("referrer", row.referrer),
        };
      });
    }),
  );

interface Row {
  id: string;
  link_id: string;
  country: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
}
