/** Every link is in one state. */
export const linkStates = ["active", "inactive", "scheduled", "expired", "used_up"] as const;

/** Options by which a list of links is filtered. */
export const listedOptions = ["password", "rules", "ab_test", "preview", "limit"] as const;

const sortColumns = ["created_at", "updated_at", "click_count", "last_click_at", "slug"] as const;
export type SortColumn = (typeof sortColumns)[number];

/** Orders of a list of links, descending with a minus sign. */
export type Sort = SortColumn | `-${SortColumn}`;
export const linkSorts = sortColumns.flatMap((column): Sort[] => [column, `-${column}`]);
