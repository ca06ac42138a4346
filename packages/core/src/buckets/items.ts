/** One link on a bucket's page. */
export interface Item {
  title: string;
  url: string;
}

/** An item's path on the short-link host. No slug that a person chose, or that was generated, has a slash in it. */
export const itemSlug = (slug: string, number: number): string => `${slug}/${number}`;

/** The number in an item's path. */
export const numberOf = (path: string): number => Number(path.slice(path.lastIndexOf("/") + 1));

/** Every URL of the items, with the name of its field. */
export const destinationsOf = (items: readonly Item[]) =>
  items.map(({ url }, at) => [`links.${at}.url`, url] as const);

/** What makes two items the same one, the surest sign first. */
const signs: ((one: Item, other: Item) => boolean)[] = [
  (one, other) => one.title === other.title && one.url === other.url,
  (one, other) => one.url === other.url,
  (one, other) => one.title === other.title,
];

/**
 * Which of the present items each wanted one is, by its index; null where it is new. An item that keeps its URL or its
 * title stays the same one, wherever it moves: it keeps its number and its clicks.
 */
export function matchItems(present: readonly Item[], wanted: readonly Item[]): (number | null)[] {
  const matches = wanted.map((): number | null => null);
  const free = new Set(present.keys());
  for (const isSame of signs) {
    for (const [at, item] of wanted.entries()) {
      if (matches[at] !== null) continue;
      const match = [...free].find((index) => isSame(present[index] as Item, item));
      if (match === undefined) continue;
      matches[at] = match;
      free.delete(match);
    }
  }
  return matches;
}
