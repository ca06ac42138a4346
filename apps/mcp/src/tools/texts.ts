import type { Bucket, Link } from "@terse/core";

/** What people read of an answer: a line a thing. */

export function linkLine({ shortUrl, destination, title, click_count, is_active }: Link): string {
  const named = title === null ? "" : ` (${title})`;
  return `${shortUrl} → ${destination}${named}: ${countOf(click_count, "click")}${is_active ? "" : ", inactive"}`;
}

export const bucketLine = ({ shortUrl, name, links }: Bucket): string =>
  `${shortUrl} → ${name}: ${countOf(links.length, "link")}`;

export const pageLine = (page: { page: number; total: number; total_pages: number }, thing: string): string =>
  `${countOf(page.total, thing)}, page ${page.page} of ${Math.max(1, page.total_pages)}`;

/** "1 click", "2 clicks" */
const countOf = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
