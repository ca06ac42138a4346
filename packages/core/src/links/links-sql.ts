import type { AccountCall } from "./call.ts";
import type { FilterQuery, QBFilterQuery, QueryOrderMap } from "@mikro-orm/postgresql";
import { LinkEntity } from "./link.entity.ts";
import type { LinkColumns } from "./list-filter.ts";
import type { SortColumn } from "./list-names.ts";

interface Selected {
  /** Default: all */
  columns?: ("id" | SortColumn)[];
  /** The name of the table in the condition */
  alias?: string;
  orderBy?: QueryOrderMap<LinkColumns>[];
  limit?: number;
}

/** SQL that selects the account's links that fit a condition, for statements that the ORM cannot make. */
export async function linksSql(
  { em }: AccountCall,
  where: FilterQuery<LinkColumns>,
  { columns, alias, orderBy, limit }: Selected = {},
): Promise<string> {
  const query = em.createQueryBuilder(LinkEntity, alias).where(where as QBFilterQuery<LinkColumns>);
  if (columns) query.select(columns);
  if (orderBy) query.orderBy(orderBy);
  if (limit !== undefined) query.limit(limit);
  // Adds the condition for the account.
  await query.applyFilters();
  return query.getFormattedQuery();
}
