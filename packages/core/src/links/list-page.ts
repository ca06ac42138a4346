import { type FilterQuery, type InferEntity, type QBFilterQuery, raw } from "@mikro-orm/postgresql";
import { sqlArray } from "../db/sql-array.ts";
import type { AccountCall } from "../rpc/account-call.ts";
import type { Call } from "../rpc/procedure.ts";
import { LinkEntity } from "./link.entity.ts";
import { isRanked, readByRank } from "./link-ranks.ts";
import type { Sort } from "./list-names.ts";
import { amongFirst, keyOf, orderOf, readSort } from "./list-order.ts";

type Row = InferEntity<typeof LinkEntity>;

/** Links are counted up to these numbers, so that a page costs the same however many links there are. */
const maxCounted = 10_000;
const maxCountedFiltered = 1000;
/** Links that fit a filter are first looked for among so many at the start of the order */
const startLength = 5000;
/** If too few of those fit, all links that fit are found and sorted, up to this number. */
const maxSorted = 100_000;

export interface LinkPage {
  rows: Row[];
  /** How many links there are at least */
  total: number;
  /** True if there are no more */
  isExact: boolean;
}

interface Wanted {
  where: FilterQuery<Row>;
  isFiltered: boolean;
  /** The filter of the same name, which is in `where` too */
  last_click_before?: Date | undefined;
  sort: Sort;
  limit: number;
  offset: number;
}

/**
 * Reads a page of the links that fit a filter. If they are few, all are found first, by whatever index finds them, and then
 * sorted. If they are many, an index in the wanted order usually comes upon them soon.
 */
export async function readPage(ctx: AccountCall, wanted: Wanted): Promise<LinkPage> {
  const { isFiltered, offset, limit } = wanted;
  if (isFiltered) {
    const page = await readSome(ctx, wanted, maxCountedFiltered);
    if (page) return page;
  }
  // One more tells whether this is the last page.
  const more = { ...wanted, limit: limit + 1 };
  const found = isFiltered ? await readMany(ctx, more) : await readInOrder(ctx, more);
  const rows = found.slice(0, limit);
  const seen = offset + found.length;
  if (found.length <= limit && (found.length > 0 || offset === 0))
    return { rows, total: seen, isExact: true };
  if (isFiltered) return { rows, total: Math.max(maxCountedFiltered, found.length && seen), isExact: false };
  const counted = await countAll(ctx, maxCounted + 1);
  if (counted <= maxCounted) return { rows, total: counted, isExact: true };
  return { rows, total: Math.max(maxCounted, found.length && seen), isExact: false };
}

/** Reads links of which too many fit to know all. Those at the start of the order are all that most pages need. */
async function readMany(ctx: AccountCall, wanted: Wanted): Promise<Row[]> {
  const rows = await readInOrder(ctx, wanted, startLength);
  if (rows.length === wanted.limit) return rows;
  return (await readSome(ctx, wanted, maxSorted))?.rows ?? readInOrder(ctx, wanted);
}

/** Finds all links that fit and sorts them; null if there are more than `max`. */
async function readSome(ctx: AccountCall, wanted: Wanted, max: number): Promise<LinkPage | null> {
  const { where, sort, limit, offset } = wanted;
  const { column, direction } = readSort(sort);
  const query = ctx.em
    .createQueryBuilder(LinkEntity)
    .select(["id", column])
    .where(where as QBFilterQuery<Row>)
    .limit(max + 1);
  await query.applyFilters();
  // The ORM would make an object of each link, which takes longer than to find them.
  const { rows } = await ctx.deps.pool.query<{ total: number; ids: string[] | null }>(
    `with found as materialized (${query.getFormattedQuery()})
     select total::int, case when total <= ${max} then array(
       select id from found order by ${keyOf(column)} ${direction}, id ${direction} limit ${limit} offset ${offset}
     ) end as ids from (select count(*) as total from found) counted`,
  );
  const [found] = rows;
  if (!found?.ids) return null;
  const { ids, total } = found;
  const page = ids.length > 0 ? await readSorted(ctx, { where: amongIds(ids), sort, limit, offset: 0 }) : [];
  return { rows: page, total, isExact: true };
}

/** A condition with one parameter, however many ids there are. */
const amongIds = (ids: readonly string[]): FilterQuery<Row> => ({
  [raw("id = any(?::uuid[])", [sqlArray(ids)])]: [],
});

/** Reads links by an index in the wanted order; with `among`, only those among so many at its start. */
async function readInOrder(ctx: AccountCall, wanted: Wanted, among?: number): Promise<Row[]> {
  const { where, sort, limit, offset, last_click_before: before } = wanted;
  const { column, direction } = readSort(sort);
  if (isRanked(column))
    return readByRank(ctx, where, { column, direction, before, among }, { limit, offset });
  if (among === undefined) return readSorted(ctx, wanted);
  const sequence = { accountId: ctx.account.id, where: "true", columns: [keyOf(column), "id"], direction };
  return readSorted(ctx, { ...wanted, where: { $and: [where, amongFirst(among, sequence)] } });
}

type Sorted = Pick<Wanted, "where" | "sort" | "limit" | "offset">;

const readSorted = ({ em }: Call, { where, sort, limit, offset }: Sorted) =>
  em.find(LinkEntity, where, {
    orderBy: orderOf(sort),
    limit,
    offset,
    // Otherwise the ORM would keep a copy of each link, to find changes.
    disableIdentityMap: true,
  }) as Promise<Row[]>;

async function countAll({ deps, account }: AccountCall, limit: number): Promise<number> {
  const { rows } = await deps.pool.query<{ count: number }>({
    name: "count-links",
    text: "select count(*)::int as count from (select from links where account_id = $1 limit $2) t",
    values: [account.id, limit],
  });
  return rows[0]?.count ?? 0;
}
