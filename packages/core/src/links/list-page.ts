import type { AccountCall, Call } from "./call.ts";
import { sqlArray } from "../db/arrays.ts";
import { sql } from "../db/sql.ts";
import { LinkEntity } from "./link.row.ts";
import { conditionsOf, impliedBy } from "./list-filter.ts";
import { rawCondition } from "./links-sql.ts";
import { findAll, findAmongCandidates, maxSorted, type Page, someIds, type Wanted } from "./list-find.ts";
import { orderOf, readSort } from "./list-order.ts";
import { readRuns, runsOf } from "./list-runs.ts";
import type { InferEntity } from "@mikro-orm/postgresql";

type Row = InferEntity<typeof LinkEntity>;

/** Links are counted up to these numbers, so that a page costs the same however many links there are. */
const maxCounted = 10_000;
const maxCountedFiltered = 1000;
/** If no more fit, all are read and sorted. To find links that pass several conditions takes longer, and seldom are they many. */
const maxFew = 1000;
const maxFewOfSeveral = 3000;
/**
 * Otherwise enough that fit are first looked for among so many at the start of the order, and twice as many as come before the
 * page. Comparing texts takes several times as long as other conditions.
 */
const startLength = 7500;
const startLengthOfSearch = 2000;
/** Links with a tag or health are looked up by their ids. Often enough of so many fit. */
const someCandidates = [5000, 50_000];

export interface LinkPage {
  rows: Row[];
  /** How many links there are at least */
  total: number;
  /** True if there are no more */
  isExact: boolean;
}

/** Reads a page of the links that fit a filter. */
export async function readPage(ctx: AccountCall, page: Page): Promise<LinkPage> {
  const { offset, limit } = page;
  // One more tells whether this is the last page.
  const wanted = { ...page, limit: limit + 1, ...(await conditionsOf(ctx, page.filter)) };
  const isFiltered = Object.keys(wanted.where).length > 0;
  const few = isFiltered ? await readFew(ctx, wanted) : null;
  const found = few?.rows ?? (await (isFiltered ? readMany : readInOrder)(ctx, wanted));
  const rows = found.slice(0, limit);
  if (few && few.total <= maxCountedFiltered) return { rows, total: few.total, isExact: true };
  const seen = offset + found.length;
  if (found.length <= limit && (found.length > 0 || offset === 0))
    return { rows, total: seen, isExact: true };
  if (isFiltered) return { rows, total: Math.max(maxCountedFiltered, found.length && seen), isExact: false };
  const counted = await countAll(ctx, maxCounted + 1);
  if (counted <= maxCounted) return { rows, total: counted, isExact: true };
  return { rows, total: Math.max(maxCounted, found.length && seen), isExact: false };
}

/** Reads the page if few links fit, by whatever index finds them. `total` is how many fit at least, exact if there are rows. */
async function readFew(ctx: AccountCall, wanted: Wanted): Promise<{ total: number; rows: Row[] | null }> {
  const { filter, where, candidates } = wanted;
  if (candidates) {
    for (const some of someCandidates) {
      const first = rawCondition(sql`id = any(array(${candidates.sql} limit ${some}))`);
      const { length } = await someIds(ctx, { $and: [candidates.where, first] }, maxFew + 1);
      if (length > maxFew) return { total: length, rows: null };
    }
    const found = await findAmongCandidates(ctx, wanted);
    if (found) return { total: found.total, rows: found.ids && (await readByIds(ctx, wanted, found.ids)) };
  }
  const conditions = Object.values(filter).filter((value) => value !== undefined);
  const max = conditions.length > 1 ? maxFewOfSeveral : maxFew;
  const ids = await someIds(ctx, where, max + 1);
  const rows = ids.length > max ? null : await readByIds(ctx, wanted, ids, wanted.offset);
  return { total: ids.length, rows };
}

/**
 * Reads links of which too many fit to know all. An index in the wanted order usually comes upon enough of them soon. If not,
 * they are far from its start, or not so many.
 */
async function readMany(ctx: AccountCall, wanted: Wanted): Promise<Row[]> {
  if (wanted.offset >= maxSorted) return readInOrder(ctx, wanted);
  const start = wanted.filter.search ? startLengthOfSearch : startLength;
  const rows = await readByRuns(ctx, wanted, start + 2 * wanted.offset);
  if (rows.length === wanted.limit) return rows;
  const { ids } = (await findAmongCandidates(ctx, wanted)) ?? (await findAll(ctx, wanted));
  return ids ? readByIds(ctx, wanted, ids) : readInOrder(ctx, wanted);
}

/** Reads the page of links with these ids. The condition has one parameter, however many there are. */
const readByIds = async (ctx: Call, wanted: Wanted, ids: readonly string[], offset = 0): Promise<Row[]> =>
  ids.length > offset
    ? readSorted(ctx, { ...wanted, where: rawCondition(sql`id = any(${sqlArray(ids)}::uuid[])`), offset })
    : [];

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
