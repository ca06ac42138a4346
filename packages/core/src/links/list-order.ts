import { type QueryOrderMap, raw } from "@mikro-orm/core";
import type { LinkColumns } from "./links-sql.ts";
import type { Sort, SortColumn } from "./list-names.ts";

export type Direction = "asc" | "desc";

/** What a list is sorted by. */
export function readSort(sort: Sort): { column: SortColumn; direction: Direction } {
  const isDescending = sort.startsWith("-");
  const column = (isDescending ? sort.slice(1) : sort) as SortColumn;
  return { column, direction: isDescending ? "desc" : "asc" };
}

/** The values that are compared, as SQL. Links without a click come as if clicked long ago. */
export function keyOf(column: SortColumn): string {
  if (column === "slug") return 'slug collate "C"';
  return column === "last_click_at" ? "coalesce(last_click_at, '-infinity')" : column;
}

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
