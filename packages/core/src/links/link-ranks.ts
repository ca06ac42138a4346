import { type FilterQuery, type InferEntity, type QBFilterQuery, raw } from "@mikro-orm/postgresql";
import type { AccountCall } from "../rpc/account-call.ts";
import { LinkEntity } from "./link.entity.ts";
import type { SortColumn } from "./list-names.ts";
import { amongFirst, type Direction } from "./list-order.ts";

/**
 * The order by clicks is in the table `link_ranks`, which the database keeps in the transaction that counts clicks. Links
 * without a click are not in it; they come as if clicked long ago, in the order of their ids.
 */

type Row = InferEntity<typeof LinkEntity>;
type Condition = FilterQuery<Row>;

type RankColumn = "click_count" | "last_click_at";
export const isRanked = (column: SortColumn): column is RankColumn =>
  column === "click_count" || column === "last_click_at";

interface Order {
  column: RankColumn;
  direction: Direction;
  /** Links were clicked before this time, or not at all: a range of the order by the last click */
  before: Date | undefined;
  /** If given, reads only links that are among so many at the start of the order */
  among: number | undefined;
}

/** Some of the links in an order, which are the first or the last ones of it. */
interface Part {
  read(limit: number, offset: number): Promise<Row[]>;
  /** SQL of all that are in it, whether the condition holds or not */
  all: string;
}

/** Reads links that fit a condition in the order of their clicks. */
export async function readByRank(
  ctx: AccountCall,
  where: Condition,
  order: Order,
  { limit, offset }: { limit: number; offset: number },
): Promise<Row[]> {
  const clicked: Part = {
    read: (max, skip) => readClicked(ctx, where, order, max, skip),
    all: clickedSql(ctx, order),
  };
  const unclicked: Part = {
    read: (max, skip) => readUnclicked(ctx, where, order, max, skip),
    all: `links where account_id = '${ctx.account.id}' and ${unranked[order.column]}`,
  };
  const [first, second] = order.direction === "desc" ? [clicked, unclicked] : [unclicked, clicked];
  const rows = await first.read(limit, offset);
  if (rows.length === limit) return rows;
  if (order.among !== undefined && (await isLonger(ctx, first, order.among))) return rows;
  const skipped = rows.length > 0 || offset === 0 ? 0 : offset - (await countFirst(ctx, where, order));
  return [...rows, ...(await second.read(limit - rows.length, skipped))];
}

async function isLonger({ deps }: AccountCall, { all }: Part, length: number): Promise<boolean> {
  const { rowCount } = await deps.pool.query(`select from ${all} offset ${length} limit 1`);
  return rowCount !== 0;
}

const ranked = { click_count: "click_count > 0", last_click_at: "last_click_at is not null" } as const;
const unranked = {
  click_count: "not is_clicked and click_count = 0",
  last_click_at: "not is_clicked and last_click_at is null",
} as const;

/** The account's id and the times are written as they are: they contain no quotes. */
function clickedSql({ account }: AccountCall, { column, before }: Order): string {
  const range = column === "last_click_at" && before ? ` and last_click_at < '${before.toISOString()}'` : "";
  return `link_ranks where account_id = '${account.id}' and ${ranked[column]}${range}`;
}

async function rankedSql(ctx: AccountCall, where: Condition, order: Order): Promise<string> {
  const query = ctx.em
    .createQueryBuilder(LinkEntity, "l")
    .where({ $and: [where, { [raw("l.id = r.link_id")]: [] }] } as QBFilterQuery<Row>);
  await query.applyFilters();
  const { column, direction, among } = order;
  const start =
    among === undefined ? "" : `order by ${column} ${direction}, link_id ${direction} limit ${among}`;
  return `from (select * from ${clickedSql(ctx, order)} ${start}) r cross join lateral (${query.getFormattedQuery()}) l`;
}

async function readClicked(
  ctx: AccountCall,
  where: Condition,
  order: Order,
  limit: number,
  offset: number,
): Promise<Row[]> {
  const { column, direction } = order;
  const { rows } = await ctx.deps.pool.query<object>(
    `select l.* ${await rankedSql(ctx, where, order)}
     order by r.${column} ${direction}, r.link_id ${direction} limit ${limit} offset ${offset}`,
  );
  const em = ctx.em.fork();
  return rows.map((row) => em.map<Row>(LinkEntity, row as never));
}

const readUnclicked = (ctx: AccountCall, where: Condition, order: Order, limit: number, offset: number) =>
  ctx.em.find(LinkEntity, unclicked(ctx, where, order), {
    orderBy: { id: order.direction },
    limit,
    offset,
    disableIdentityMap: true,
  }) as Promise<Row[]>;

function unclicked(
  { account }: AccountCall,
  where: Condition,
  { column, direction, among }: Order,
): Condition {
  const all: Condition = { $and: [where, { [raw(unranked[column])]: [] }] };
  if (among === undefined) return all;
  const sequence = { accountId: account.id, where: unranked[column], columns: ["id"], direction };
  return { $and: [all, amongFirst(among, sequence)] };
}

/** How many links come in the first part of the order. */
async function countFirst(ctx: AccountCall, where: Condition, order: Order): Promise<number> {
  if (order.direction === "asc") return ctx.em.count(LinkEntity, unclicked(ctx, where, order));
  const { rows } = await ctx.deps.pool.query<{ count: number }>(
    `select count(*)::float8 as count ${await rankedSql(ctx, where, order)}`,
  );
  return rows[0]?.count ?? 0;
}
