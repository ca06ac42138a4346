import { type FilterQuery, type QueryOrderMap, raw } from "@mikro-orm/core";
import type { LinkColumns } from "./list-filter.ts";
import type { Sort, SortColumn } from "./list-names.ts";

export type Direction = "asc" | "desc";

const opposite = { asc: "desc", desc: "asc" } as const;

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

/** Some of an account's links, as they follow each other in an index. */
export interface Sequence {
  accountId: string;
  /** SQL of what selects them, besides the account */
  where: string;
  /** The columns that order them, as SQL */
  columns: readonly string[];
  direction: Direction;
}

/** The condition that a link of a sequence is among its first ones. */
export function amongFirst(
  length: number,
  { accountId, where, columns, direction }: Sequence,
): FilterQuery<LinkColumns> {
  const order = (way: Direction) => columns.map((column) => `${column} ${way}`).join();
  const last = `select ${columns.join()} from (
      select * from links where account_id = ? and ${where} order by ${order(direction)} limit ${length}
    ) first order by ${order(opposite[direction])} limit 1`;
  return { [raw(`(${columns.join()}) ${direction === "asc" ? "<=" : ">="} (${last})`, [accountId])]: [] };
}
