import { type FilterQuery, type InferEntity, type QBFilterQuery, raw } from "@mikro-orm/postgresql";
import { sqlArray } from "../db/sql-array.ts";
import type { AccountCall } from "../rpc/account-call.ts";
import type { Call } from "../rpc/procedure.ts";
import { LinkEntity } from "./link.entity.ts";
import { type Conditions, conditionsOf, impliedBy, type LinkFilter } from "./list-filter.ts";
import type { Sort, SortColumn } from "./list-names.ts";
import { keyOf, orderOf, readSort } from "./list-order.ts";
import { readRuns, runsOf } from "./list-runs.ts";

type Row = InferEntity<typeof LinkEntity>;
type Condition = FilterQuery<Row>;

/** Links are counted up to these numbers, so that a page costs the same however many links there are. */
const maxCounted = 10_000;
const maxCountedFiltered = 1000;
/** Links that fit a filter are first looked for among so many at the start of the order, and twice as many as the page is away from it. */
const startLength = 5000;
/** If too few of those fit, all links that fit are found and sorted, up to this number. */
const maxSorted = 50_000;

export interface LinkPage {
  rows: Row[];
  /** How many links there are at least */
  total: number;
  /** True if there are no more */
  isExact: boolean;
}

interface Page {
  filter: LinkFilter;
  sort: Sort;
  limit: number;
  offset: number;
}

type Wanted = Page & Conditions;

/**
 * Reads a page of the links that fit a filter. If they are few, all are found first, by whatever index finds them, and then
 * sorted. If they are many, an index in the wanted order usually comes upon them soon.
 */
export async function readPage(ctx: AccountCall, page: Page): Promise<LinkPage> {
  const { offset, limit } = page;
  const wanted = { ...page, ...(await conditionsOf(ctx, page.filter)) };
  const isFiltered = Object.keys(wanted.where).length > 0;
  if (isFiltered) {
    const some = await readSome(ctx, wanted, maxCountedFiltered);
    if (some) return some;
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
  const rows = await readByRuns(ctx, wanted, startLength + 2 * wanted.offset);
  if (rows.length === wanted.limit) return rows;
  return (await readSome(ctx, wanted, maxSorted))?.rows ?? readInOrder(ctx, wanted);
}

/** Finds all links that fit and sorts them; null if there are more than `max`. */
async function readSome(ctx: AccountCall, wanted: Wanted, max: number): Promise<LinkPage | null> {
  const { candidates, limit } = wanted;
  let found: Found | undefined;
  if (candidates !== null) {
    const { sql, where: more } = candidates;
    if (max < startLength) {
      const first = raw(`id = any(array(${sql} limit ${startLength}))`);
      if ((await count(ctx, { $and: [more, { [first]: [] }] }, max + 1)) > max) return null;
    }
    const amongAll: Condition = { $and: [more, { [raw("id = any(array(table candidates))")]: [] }] };
    found = await findAll(ctx, { ...wanted, where: amongAll }, max, `${sql} limit ${maxSorted + 1}`);
  }
  found ??= await findAll(ctx, wanted, max);
  if (!found?.ids) return null;
  const { ids, total } = found;
  const rows =
    ids.length > 0 ? await readSorted(ctx, { ...wanted, where: amongIds(ids), limit, offset: 0 }) : [];
  return { rows, total, isExact: true };
}

interface Found {
  total: number;
  /** Those of the page, null if there are more than asked for */
  ids: string[] | null;
}

/**
 * Finds links in no order and sorts them, which the ORM would take longer for. If `candidates` are given and too many, returns
 * nothing.
 */
async function findAll(
  ctx: AccountCall,
  { where, sort, limit, offset }: Wanted,
  max: number,
  candidates?: string,
): Promise<Found | undefined> {
  const { column, direction } = readSort(sort);
  const found = await fittingSql(ctx, ["id", column], where, max + 1);
  const { rows } = await ctx.deps.pool.query<Found>(
    `with ${candidates === undefined ? "" : `candidates as materialized (${candidates}),`}
       found as materialized (${found})
     select total::int, case when total <= ${max} then array(
       select id from found order by ${keyOf(column)} ${direction}, id ${direction} limit ${limit} offset ${offset}
     ) end as ids
     from (select count(*) as total from found) counted
     ${candidates === undefined ? "" : `where (select count(*) from candidates) <= ${maxSorted}`}`,
  );
  return rows[0];
}

/** How many links fit, up to a limit. */
async function count(ctx: AccountCall, where: Condition, limit: number): Promise<number> {
  const { rows } = await ctx.deps.pool.query<{ count: number }>(
    `select count(*)::int as count from (${await fittingSql(ctx, ["id"], where, limit)}) t`,
  );
  return rows[0]?.count ?? 0;
}

async function fittingSql(
  { em }: Call,
  columns: ("id" | SortColumn)[],
  where: Condition,
  limit: number,
): Promise<string> {
  const query = em
    .createQueryBuilder(LinkEntity)
    .select(columns)
    .where(where as QBFilterQuery<Row>)
    .limit(limit);
  await query.applyFilters();
  return query.getFormattedQuery();
}

/** A condition with one parameter, however many ids there are. */
const amongIds = (ids: readonly string[]): Condition => ({
  [raw("id = any(?::uuid[])", [sqlArray(ids)])]: [],
});

/** Reads links by an index in the wanted order. */
function readInOrder(ctx: AccountCall, wanted: Wanted): Promise<Row[]> {
  const { where, filter, sort } = wanted;
  const { column } = readSort(sort);
  if (column === "click_count" || column === "last_click_at") return readByRuns(ctx, wanted);
  return readSorted(ctx, { ...wanted, where: { $and: [where, ...impliedBy(filter, sort)] } });
}

function readByRuns(ctx: AccountCall, { where, filter, sort, limit, offset }: Wanted, among?: number) {
  const runs = runsOf(ctx.account.id, sort, filter);
  return readRuns(ctx, { where, runs, direction: readSort(sort).direction, limit, offset }, among);
}

const readSorted = ({ em }: Call, { where, sort, limit, offset }: Omit<Wanted, "filter" | "candidates">) =>
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
