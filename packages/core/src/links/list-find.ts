import type { AccountCall } from "./call.ts";
import type { FilterQuery } from "@mikro-orm/postgresql";
import { fixed, sql, type Sql } from "../db/sql.ts";
import { type LinkColumns, linksSql, rawCondition } from "./links-sql.ts";
import type { Conditions, LinkFilter } from "./list-filter.ts";
import type { Sort } from "./list-names.ts";
import { keyOf, readSort } from "./list-order.ts";

type Condition = FilterQuery<LinkColumns>;

/** All links that fit are found and sorted up to this number. */
export const maxSorted = 50_000;
/** Links with a tag or health are looked up by their ids, up to this number. */
const maxCandidates = 200_000;

/** A page of the links that pass a filter. */
export interface Page {
  filter: LinkFilter;
  sort: Sort;
  limit: number;
  offset: number;
}

export type Wanted = Page & Conditions;

export interface Found {
  /** How many links fit, up to one more than the limit */
  total: number;
  /** Those of the page in their order, null if more than the limit fit */
  ids: string[] | null;
}

/** Finds links by the ids of those with a tag or health; null if the filter has neither, or these are too many. */
export async function findAmongCandidates(ctx: AccountCall, wanted: Wanted): Promise<Found | null> {
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
export async function findAll(ctx: AccountCall, wanted: Wanted): Promise<Found> {
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
export async function someIds(ctx: AccountCall, where: Condition, limit: number): Promise<string[]> {
  const { rows } = await ctx.deps.pool.query<{ id: string }>(
    await linksSql(ctx, where, { columns: ["id"], limit }),
  );
  return rows.map(({ id }) => id);
}
