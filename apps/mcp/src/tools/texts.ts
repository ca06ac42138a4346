import type { Link } from "@terse/core";

/** A link in one line, as people speak of it. */
export function lineOf({ shortUrl, destination, title, click_count, is_active }: Link): string {
  const named = title === null ? "" : ` (${title})`;
  return `${shortUrl} → ${destination}${named}: ${countOf(click_count, "click")}${is_active ? "" : ", inactive"}`;
}

/** "1 click", "2 clicks" */
export const countOf = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
