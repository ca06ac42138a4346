/** Every link is in one state. */
export const linkStates = ["active", "inactive", "scheduled", "expired", "used_up"] as const;

/** Options by which a list of links is filtered. */
export const listedOptions = ["password", "rules", "ab_test", "preview", "limit"] as const;

/** Makers by which a list of links is filtered, besides ids of people. */
export const makerWords = ["me", "left"] as const;

const sortColumns = ["created_at", "updated_at", "click_count", "last_click_at", "slug"] as const;
export type SortColumn = (typeof sortColumns)[number];

/** Orders of a list of links, descending with a minus sign. */
export type Sort = SortColumn | `-${SortColumn}`;
export const linkSorts = sortColumns.flatMap((column): Sort[] => [column, `-${column}`]);

export type Direction = "asc" | "desc";

/** The orders of a list. */
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
