import type { PoolClient } from "pg";
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
import { fieldsOf } from "../validation/inputs.ts";
import { timestamp } from "../validation/strings.ts";
import { labelOf } from "./breakdowns.ts";
import { filterFields, filterNote, filterOf } from "./filter.input.ts";
import { type Selection, selectionOf } from "./filter-sql.ts";
import { withReportSlot } from "./report-limiter.ts";
import { accountScope } from "./series.ts";
import { namedLinks } from "./top-links.ts";

const maxClicks = 20;
/** A filter is applied to this many of the last clicks, so that one that fits none does not read all of them. */
const maxSearched = 100_000;

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
      description: `A click appears within two seconds. A filter selects among the last ${maxSearched.toLocaleString("en")} clicks. ${filterNote}`,
      successDescription: "The last 20 clicks, newest first",
    },
  })
  .input(fieldsOf(filterFields).prefault({}))
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
  .query(({ ctx: { deps, account }, input }) => {
    const filter = filterOf(input);
    const read = async (database: PoolClient) => {
      const selection = await selectionOf(database, accountScope(account.id), filter, deps.shortHost.host);
      const rows = await readLast(database, selection, filter !== null);
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
          ...labelsOf(filter ? row : { ...row, channel: channelOf(row.referrer) }),
        };
      });
    };
    return filter ? withReportSlot(deps.pool, account.id, filter, read) : inSnapshot(deps.pool, read);
  });

type Row = { id: string; link_id: string } & Record<ListedDimension, string>;

async function readLast(
  database: Pick<PoolClient, "query">,
  { condition, values }: Selection,
  isFiltered: boolean,
): Promise<Row[]> {
  const last = (conditions: string, count: number) =>
    `select id, account_number, link_id, client_id, referrer_id, variant from clicks
     where ${conditions} and not is_bot order by id desc limit ${count}`;
  const from = isFiltered
    ? `select * from (${last("account_number = $1", maxSearched)}) t where ${condition} order by id desc limit ${maxClicks}`
    : last(condition, maxClicks);
  const { rows } = await database.query<Row>({
    ...(!isFiltered && { name: "last-clicks" }),
    text: `select c.id, link_id, ${clientDimensions.join()}, referrer, coalesce(channel, '') as channel from (${from}) c
             join click_clients on click_clients.id = client_id
             join click_referrers on click_referrers.id = referrer_id
           order by c.id desc`,
    values: [...values],
  });
  return rows;
}

const labelsOf = (row: Record<ListedDimension, string>) =>
  Object.fromEntries(
    listedDimensions.map((dimension) => [dimension, labelOf(dimension, row[dimension])]),
  ) as Record<ListedDimension, string>;
