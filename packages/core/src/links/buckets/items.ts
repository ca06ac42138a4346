import { isContact } from "../../kernel/contacts.ts";

/** One link on a bucket's page. */
export interface Item {
  title: string;
  url: string;
}

/** An item's path on the short-link host. No slug, custom or generated, contains a slash. */
export const itemSlug = (slug: string, number: number): string => `${slug}/${number}`;

/** The number in an item's path. */
export const numberOf = (path: string): number => Number(path.slice(path.lastIndexOf("/") + 1));

/** Every URL of the items that leads to a host, with the path of its field. */
export const destinationsOf = (items: readonly Item[]) =>
  items.flatMap(({ url }, at) => (isContact(url) ? [] : [[`links.${at}.url`, url] as const]));

/** Criteria by which two items are the same, the strictest first. */
const criteria: ((left: Item, right: Item) => boolean)[] = [
  (left, right) => left.title === right.title && left.url === right.url,
  (left, right) => left.url === right.url,
  (left, right) => left.title === right.title,
];

/**
 * Returns for each new item the index of the present item that it continues, or null. An item that keeps its URL or its
 * title stays the same item, wherever it moves: it keeps its number and its clicks.
 */
export function matchItems(present: readonly Item[], next: readonly Item[]): (number | null)[] {
  const matches = next.map((): number | null => null);
  const free = new Set(present.keys());
  for (const isSame of criteria) {
    for (const [at, item] of next.entries()) {
      if (matches[at] !== null) continue;
      const match = [...free].find((index) => isSame(present[index] as Item, item));
      if (match === undefined) continue;
      matches[at] = match;
      free.delete(match);
    }
  }
  return matches;
}
