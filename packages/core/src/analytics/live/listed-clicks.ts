import type { Base } from "../../db/base.ts";
import { channelOf } from "../../clicks/derive/referrer.ts";
import { clientDimensions, type ListedDimension, listedDimensions } from "../../clicks/dimensions.ts";
import { idOf, timeOfId } from "../../clicks/click-id.ts";
import { inSnapshot } from "../../db/connection.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import type { ShortHost } from "../../kernel/host-names.ts";
import { labelOf, unknown } from "../breakdowns/lists.ts";
import type { ListedClick } from "../analytics.schema.ts";
import { numberOf, type Selection } from "../questions/conditions.ts";
import { namedLinks } from "../breakdowns/top-links.ts";
import { listBlocks, forEachBlock, type ReadBlock } from "../../clicks/blocks/read-blocks.ts";
import { chosenIn } from "../../clicks/blocks/count.ts";
import { none } from "../../clicks/blocks/block.ts";

/** A dimension is null if the database has lost its value. */
export type ClickRow = { id: string; link_id: string } & Record<ListedDimension, string | null>;

/** Adds the labels to clicks; `order` is "asc" or "desc" by id. Those with the same id stay in their order. */
export async function withLabels(
  database: Database,
  clicks: readonly StoredClick[],
  order: "asc" | "desc",
): Promise<ClickRow[]> {
  const column = (of: (click: StoredClick) => string | number | null) =>
    sqlArray(clicks.map((click) => of(click) ?? "null"));
  const { table, values } = sqlColumns(1, {
    position: ["int", sqlArray([...clicks.keys()])],
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
           order by t.id ${order}, position`,
    values,
  });
  return rows;
}

/** Turns rows into what clients see; null for clicks on links that are forgotten. */
export async function listedClicks(
  database: Database,
  shortHost: ShortHost,
  rows: readonly ClickRow[],
): Promise<(ListedClick | null)[]> {
  const links = await namedLinks(database, shortHost, [...new Set(rows.map(({ link_id }) => link_id))]);
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
  { pool, shortHost }: Pick<Base, "pool" | "shortHost">,
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
    const listed = await listedClicks(database, shortHost, labelled.map(withChannel));
    return listed.filter((click) => click !== null);
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

/** Raw clicks, whether they are rows or in blocks. */

export interface StoredClick {
  id: string;
  /** Null in blocks, which have the number */
  link_id: string | null;
  /** The link's id in `click_values` */
  link: number | null;
  client_id: number;
  referrer_id: number;
}

/** SQL: the columns of rows of `clicks` that make it. */
export const storedColumns = "id, link_id, null as link, client_id, referrer_id";

/** After all clicks */
const end = Date.parse("9999-12-31");

/** The last clicks in blocks that fit, among at least `searched` that are looked at, since a time. */
export async function lastInBlocks(
  selection: Selection,
  { since, searched, wanted }: { since: number; searched: number; wanted: number },
): Promise<StoredClick[]> {
  const { database, account, isBot } = selection;
  const summaries = await listBlocks(database, { account, isBot, from: since, to: end });
  let found = 0;
  const days = new Set<string>();
  for (const { day, clicks } of summaries.toReversed()) {
    // All clicks of a day are later than those of the day before, but not those of a part.
    if (found >= searched && !days.has(day)) break;
    days.add(day);
    found += clicks;
  }
  if (days.size === 0) return [];
  const conditions = await selection.blockConditions();
  const last: StoredClick[] = [];
  await forEachBlock(
    database,
    selection,
    summaries.filter(({ day }) => days.has(day)),
    (read) => {
      const clicks = chosenIn(read.block, conditions, [0, read.block.count]);
      last.push(...storedClicks(read, clicks.subarray(-wanted)));
    },
    { ids: true },
  );
  return last;
}

/** People's clicks with some ids in the blocks of an account. */
async function idsInBlocks(
  database: Database,
  account: number,
  ids: readonly string[],
): Promise<StoredClick[]> {
  if (ids.length === 0) return [];
  const times = ids.map(timeOfId);
  const owner = { account, isBot: false };
  const range = { from: Math.min(...times), to: Math.max(...times) + 1 };
  const summaries = (await listBlocks(database, { ...owner, ...range })).filter(({ first, last }) =>
    times.some((time) => time >= first && time <= last),
  );
  const wanted = new Set(ids);
  const wantedTimes = new Set(times);
  const found: StoredClick[] = [];
  await forEachBlock(
    database,
    owner,
    summaries,
    (read) => {
      const clicks: number[] = [];
      for (const [click, time] of read.block.times().entries())
        if (wantedTimes.has(read.summary.start + time)) clicks.push(click);
      found.push(...storedClicks(read, clicks).filter(({ id }) => wanted.has(id)));
    },
    { ids: true },
  );
  return found;
}

function storedClicks({ summary, block, sequences }: ReadBlock, clicks: Iterable<number>): StoredClick[] {
  const [times, lower] = [block.times(), sequences()];
  const valueOf = (name: "link" | "client" | "referrer", click: number) => {
    const column = block.column(name);
    return column.values[column.positions[click] as number] ?? none;
  };
  return Array.from(clicks, (click) => ({
    id: String(idOf(summary.start + (times[click] as number), lower[click] as number)),
    link_id: null,
    link: valueOf("link", click),
    client_id: valueOf("client", click),
    referrer_id: valueOf("referrer", click),
  }));
}
