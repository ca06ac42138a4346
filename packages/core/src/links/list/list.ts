import { type AccountCall, accountProcedure, type Call } from "../call.ts";
import * as z from "zod";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { reading } from "../../rpc/call.ts";
import { linkSchema } from "../link.schema.ts";
import { type LinkColumns, LinkEntity, toLinks } from "../link.row.ts";
import { filterFields, sortField } from "./list.schema.ts";
import { sqlArray } from "../../db/arrays.ts";
import { fixed, sql, type Sql } from "../../db/sql.ts";
import { type Conditions, conditionsOf, impliedBy, type LinkFilter } from "./filter.ts";
import { type Condition, linksSql, orderOf, rawCondition } from "./links-sql.ts";
import { keyOf, readSort, type Sort } from "./names.ts";
import { readRuns, runsOf } from "./runs.ts";

/** Lists the account's links that pass a filter, newest first unless `sort` says otherwise. */
export const listLinks = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links",
    tag: "Links",
    summary: "List links",
    description:
      "All given filters must match. `total` counts up to 10,000 links, or 1,000 with a filter; if there may be more, `total_is_exact` is false, and further pages can be requested.",
    successDescription: "One page of the account's links, newest first by default",
  })
  .input(pageInput("Links", 20, { ...filterFields, sort: sortField }).prefault({}))
  .output(
    pageOf(linkSchema, {
      total_is_exact: z
        .boolean()
        .describe(
          "False if there may be more than `total`: large numbers of links are not counted to the end",
        ),
    }),
  )
  .query(async ({ ctx: call, input: { page, limit, sort, ...filter } }) => {
    const ctx = reading(call);
    const { rows, total, isExact } = await withListSlot(ctx.deps.pool, ctx.account.id, () =>
      readPage(ctx, { filter, sort, limit, offset: (page - 1) * limit }),
    );
    return {
      data: await toLinks(ctx, rows),
      meta: { ...pageMeta(page, limit, total), total_is_exact: isExact },
    };
  });

/** Links are counted up to these numbers, so that a page costs the same however many links there are. */
const maxCounted = 10_000;
const maxCountedFiltered = 1000;
/**
 * If no more fit, all are read and sorted. Finding links that match several conditions takes longer, and there are
 * seldom many.
 */
const maxFew = 1000;
const maxFewOfSeveral = 3000;
/**
 * Otherwise enough that fit are first looked for among so many at the start of the order, and twice as many as come before the
 * page. Comparing texts takes several times as long as other conditions.
 */
const startLength = 7500;
const startLengthOfSearch = 2000;
/** Links with a tag or health are looked up by their ids. Often, enough of this many match. */
const someCandidates = [5000, 50_000];

/** Reads a page of the links that fit a filter. There are at least `total` links, and no more if that `isExact`. */
async function readPage(
  ctx: AccountCall,
  page: Page,
): Promise<{ rows: LinkColumns[]; total: number; isExact: boolean }> {
  const { offset, limit } = page;
  // One more shows whether this is the last page.
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
async function readFew(
  ctx: AccountCall,
  wanted: Wanted,
): Promise<{ total: number; rows: LinkColumns[] | null }> {
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
async function readMany(ctx: AccountCall, wanted: Wanted): Promise<LinkColumns[]> {
  if (wanted.offset >= maxSorted) return readInOrder(ctx, wanted);
  const start = wanted.filter.search ? startLengthOfSearch : startLength;
  const rows = await readByRuns(ctx, wanted, start + 2 * wanted.offset);
  if (rows.length === wanted.limit) return rows;
  const { ids } = (await findAmongCandidates(ctx, wanted)) ?? (await findAll(ctx, wanted));
  return ids ? readByIds(ctx, wanted, ids) : readInOrder(ctx, wanted);
}

/** Reads the page of links with these ids. The condition has one parameter, however many there are. */
const readByIds = async (
  ctx: Call,
  wanted: Wanted,
  ids: readonly string[],
  offset = 0,
): Promise<LinkColumns[]> =>
  ids.length > offset
    ? readSorted(ctx, { ...wanted, where: rawCondition(sql`id = any(${sqlArray(ids)}::uuid[])`), offset })
    : [];

/** Reads links by an index in the wanted order. */
function readInOrder(ctx: AccountCall, wanted: Wanted): Promise<LinkColumns[]> {
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
  }) as Promise<LinkColumns[]>;

async function countAll({ deps, account }: AccountCall, limit: number): Promise<number> {
  const { rows } = await deps.pool.query<{ count: number }>({
    name: "count-links",
    text: "select count(*)::int as count from (select from links where account_id = $1 limit $2) t",
    values: [account.id, limit],
  });
  return rows[0]?.count ?? 0;
}

/** All links that fit are found and sorted up to this number. */
const maxSorted = 50_000;
/** Links with a tag or health are looked up by their ids, up to this number. */
const maxCandidates = 200_000;

/** A page of the links that pass a filter. */
interface Page {
  filter: LinkFilter;
  sort: Sort;
  limit: number;
  offset: number;
}

type Wanted = Page & Conditions;

interface Found {
  /** How many links fit, up to one more than the limit */
  total: number;
  /** Those of the page in their order, null if more than the limit fit */
  ids: string[] | null;
}

/** Finds links by the ids of those with a tag or health; null if the filter has neither, or these are too many. */
async function findAmongCandidates(ctx: AccountCall, wanted: Wanted): Promise<Found | null> {
  const { candidates } = wanted;
  if (!candidates) return null;
  const among = rawCondition(sql`id = any((select ids from candidates)::uuid[])`);
  const where = { $and: [candidates.where, among] };
  const { rows } = await ctx.deps.pool.query<Found>(
    sql`with candidates as materialized (select array(${candidates.sql} limit ${maxCandidates + 1}) as ids),
     ${await foundSql(ctx, { ...wanted, where })}
     where (select cardinality(ids) from candidates) <= ${maxCandidates}`,
  );
  return rows[0] ?? null;
}

/** Finds links by whatever index finds them. */
async function findAll(ctx: AccountCall, wanted: Wanted): Promise<Found> {
  const { rows } = await ctx.deps.pool.query<Found>(sql`with ${await foundSql(ctx, wanted)}`);
  return rows[0] ?? { total: 0, ids: [] };
}

/** The end of a statement that selects what it `Found`. */
async function foundSql(ctx: AccountCall, { where, sort, limit, offset }: Wanted): Promise<Sql> {
  const { column, direction } = readSort(sort);
  const order = fixed(`${keyOf(column)} ${direction}, id ${direction}`);
  return sql`found as materialized (${await linksSql(ctx, where, { columns: ["id", column], limit: maxSorted + 1 })})
    select total, case when total <= ${maxSorted} then array(
      select id from found order by ${order} limit ${limit} offset ${offset}
    ) end as ids
    from (select count(*)::int as total from found) counted`;
}

/** The ids of links that fit, in no order. The ORM would make an object of each, which takes longer than to find them. */
async function someIds(ctx: AccountCall, where: Condition, limit: number): Promise<string[]> {
  const { rows } = await ctx.deps.pool.query<{ id: string }>(
    await linksSql(ctx, where, { columns: ["id"], limit }),
  );
  return rows.map(({ id }) => id);
}
