import { type FilterQuery, type InferEntity, type QBFilterQuery, raw } from "@mikro-orm/postgresql";
import { sqlArray } from "../db/sql-array.ts";
import type { AccountCall } from "../rpc/account-call.ts";
import type { Call } from "../rpc/procedure.ts";
import { LinkEntity } from "./link.entity.ts";
import { type RankColumn, rankColumns, readByRank } from "./link-ranks.ts";
import { orderOf } from "./list-filter.ts";
import type { Sort } from "./list-names.ts";

type Row = InferEntity<typeof LinkEntity>;

/** Links are counted up to these numbers, so that a page costs the same however many links there are. */
const maxCounted = 10_000;
const maxCountedFiltered = 1000;

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
 * sorted. If they are many, an index in the wanted order comes upon them soon.
 */
export async function readPage(ctx: AccountCall, wanted: Wanted): Promise<LinkPage> {
  const { where, isFiltered, offset, limit } = wanted;
  if (isFiltered) {
    const ids = await someIds(ctx, where, maxCountedFiltered + 1);
    if (ids.length <= maxCountedFiltered) {
      const rows = offset >= ids.length ? [] : await readSorted(ctx, { ...wanted, where: amongIds(ids) });
      return { rows, total: ids.length, isExact: true };
    }
  }
  // One more tells whether this is the last page.
  const found = await readInOrder(ctx, { ...wanted, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const seen = offset + found.length;
  if (found.length <= limit && (found.length > 0 || offset === 0))
    return { rows, total: seen, isExact: true };
  if (isFiltered) return { rows, total: Math.max(maxCountedFiltered, found.length && seen), isExact: false };
  const counted = await countAll(ctx, maxCounted + 1);
  if (counted <= maxCounted) return { rows, total: counted, isExact: true };
  return { rows, total: Math.max(maxCounted, found.length && seen), isExact: false };
}

/** The ids of links that fit, in no order. The ORM would make an object of each, which takes longer than to find them. */
async function someIds({ em, deps }: Call, where: FilterQuery<Row>, limit: number): Promise<string[]> {
  const query = em
    .createQueryBuilder(LinkEntity)
    .select("id")
    .where(where as QBFilterQuery<Row>)
    .limit(limit);
  await query.applyFilters();
  const { rows } = await deps.pool.query<{ id: string }>(query.getFormattedQuery());
  return rows.map(({ id }) => id);
}

/** A condition with one parameter, however many ids there are. */
const amongIds = (ids: readonly string[]): FilterQuery<Row> => ({
  [raw("id = any(?::uuid[])", [sqlArray(ids)])]: [],
});

function readInOrder(ctx: AccountCall, wanted: Wanted): Promise<Row[]> {
  const { where, sort, limit, offset, last_click_before: before } = wanted;
  const column = sort.replace(/^-/, "") as RankColumn;
  if (!rankColumns.includes(column)) return readSorted(ctx, wanted);
  const direction = sort.startsWith("-") ? "desc" : "asc";
  return readByRank(ctx, where, { column, direction, before }, { limit, offset });
}

const readSorted = ({ em }: Call, { where, sort, limit, offset }: Wanted) =>
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
