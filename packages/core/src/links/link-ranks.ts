import { type FilterQuery, type InferEntity, type QBFilterQuery, raw } from "@mikro-orm/postgresql";
import type { AccountCall } from "../rpc/account-call.ts";
import type { Call } from "../rpc/procedure.ts";
import { LinkEntity } from "./link.entity.ts";

/**
 * The order by clicks is in the table `link_ranks`, which the database keeps in the transaction that counts clicks. Links
 * without a click are not in it; they come as if clicked long ago, in the order of their ids.
 */

type Row = InferEntity<typeof LinkEntity>;
type Condition = FilterQuery<Row>;

export const rankColumns = ["click_count", "last_click_at"] as const;
export type RankColumn = (typeof rankColumns)[number];

interface Order {
  column: RankColumn;
  direction: "asc" | "desc";
  /** Links were clicked before this time, or not at all: a range of the order by the last click */
  before: Date | undefined;
}

/** Some of the links in an order. */
type Part = (limit: number, offset: number) => Promise<Row[]>;

/** Reads links that fit a condition in the order of their clicks. */
export async function readByRank(
  ctx: AccountCall,
  where: Condition,
  order: Order,
  { limit, offset }: { limit: number; offset: number },
): Promise<Row[]> {
  const parts: [clicked: Part, unclicked: Part] = [
    (max, skip) => readClicked(ctx, where, order, max, skip),
    (max, skip) => readUnclicked(ctx, where, order, max, skip),
  ];
  const [first, second] = order.direction === "desc" ? parts : parts.toReversed();
  if (!first || !second) return [];
  const rows = await first(limit, offset);
  if (rows.length === limit) return rows;
  const skipped = rows.length > 0 || offset === 0 ? 0 : offset - (await countFirst(ctx, where, order));
  return [...rows, ...(await second(limit - rows.length, skipped))];
}

const isRanked = { click_count: "r.click_count > 0", last_click_at: "r.last_click_at is not null" } as const;
const unranked = { click_count: { click_count: 0 }, last_click_at: { last_click_at: null } } as const;

/** The account's id and the times are written as they are: they contain no quotes. */
async function rankedSql({ em, account }: AccountCall, where: Condition, { column, before }: Order) {
  const query = em
    .createQueryBuilder(LinkEntity, "l")
    .where({ $and: [where, { [raw("l.id = r.link_id")]: [] }] } as QBFilterQuery<Row>);
  await query.applyFilters();
  const range =
    column === "last_click_at" && before ? ` and r.last_click_at < '${before.toISOString()}'` : "";
  return `from link_ranks r cross join lateral (${query.getFormattedQuery()}) l
          where r.account_id = '${account.id}' and ${isRanked[column]}${range}`;
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

const readUnclicked = (
  { em }: Call,
  where: Condition,
  { column, direction }: Order,
  limit: number,
  offset: number,
) =>
  em.find(LinkEntity, unclicked(where, column), {
    orderBy: { id: direction },
    limit,
    offset,
    disableIdentityMap: true,
  }) as Promise<Row[]>;

const unclicked = (where: Condition, column: RankColumn) =>
  ({ $and: [where, { is_clicked: false }, unranked[column]] }) as Condition;

/** How many links come in the first part of the order. */
async function countFirst(ctx: AccountCall, where: Condition, order: Order): Promise<number> {
  if (order.direction === "asc") return ctx.em.count(LinkEntity, unclicked(where, order.column));
  const { rows } = await ctx.deps.pool.query<{ count: number }>(
    `select count(*)::float8 as count ${await rankedSql(ctx, where, order)}`,
  );
  return rows[0]?.count ?? 0;
}
