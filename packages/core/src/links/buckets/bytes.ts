import { bytesOf } from "../../redirects/link-bytes.ts";
import { type Item, itemSlug } from "./items.ts";

/** The bytes that a bucket takes, with its page and its items, which are links. */
export function bytesOfBucket({
  name,
  slug,
  description,
  links,
}: {
  name: string;
  description: string | null;
  slug: string | undefined;
  links: readonly Item[];
}): number {
  const items = links.map(({ title, url }, at) =>
    bytesOf({ slug: itemSlug(slug ?? "", at + 1), title, destination: url }),
  );
  return items.reduce(
    (sum, bytes) => sum + bytes,
    bytesOf({ slug, title: name }) + Buffer.byteLength(description ?? ""),
  );
}
