import type { AccountCall } from "../call.ts";
import { Sql } from "../../db/sql.ts";
import { type LinkColumns, LinkEntity } from "../link.row.ts";
import { keyOf, readSort, type Sort, type SortColumn } from "./names.ts";
import { type FilterQuery, type QBFilterQuery, type QueryOrderMap, raw } from "@mikro-orm/postgresql";

/** A condition for links, as the ORM takes it. */
export type Condition = FilterQuery<LinkColumns>;

interface Selected {
  /** Default: all */
  columns?: ("id" | SortColumn)[];
  /** The name of the table in the condition */
  alias?: string;
  orderBy?: QueryOrderMap<LinkColumns>[];
  limit?: number;
}

/** A statement that selects the account's links that fit a condition, as a piece of those that the ORM cannot make. */
export async function linksSql(
  { em }: AccountCall,
  where: Condition,
  { columns, alias, orderBy, limit }: Selected = {},
): Promise<Sql> {
  const query = em.createQueryBuilder(LinkEntity, alias).where(where as QBFilterQuery<LinkColumns>);
  if (columns) query.select(columns);
  if (orderBy) query.orderBy(orderBy);
  if (limit !== undefined) query.limit(limit);
  // Adds the condition for the account.
  await query.applyFilters();
  const { sql, params } = query.toQuery();
  // All values are parameters, so that no text between them has a question mark.
  return new Sql(sql.split("?"), params);
}

/** A condition of SQL. */
export const rawCondition = ({ texts, values }: Sql): Condition => ({
  [raw(texts.join("?"), values as never[])]: [],
});

/** The order of a list. It ends with the id, so that pages neither overlap nor leave gaps. */
export function orderOf(sort: Sort): QueryOrderMap<LinkColumns>[] {
  const { column, direction } = readSort(sort);
  if (column === "slug") return [{ [raw(keyOf(column))]: direction }, { id: direction }];
  if (column === "last_click_at")
    return [
      { last_click_at: direction === "desc" ? "desc nulls last" : "asc nulls first" },
      { id: direction },
    ];
  return [{ [column]: direction }, { id: direction }];
}
