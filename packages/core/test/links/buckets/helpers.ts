import type { Core } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

/** Links of a page: `item("a")` is titled "a" and leads to https://a.example/ */
export const item = (name: string, url = `https://${name}.example/`) => ({ title: name, url });
export const items = (count: number) => Array.from({ length: count }, (_, at) => item(`item-${at + 1}`));

/** The stored rows of a bucket's page and items. */
export async function rowsOf(core: Core, bucketId: string) {
  const { rows } = await depsOf(core).pool.query<{
    id: string;
    slug: string;
    title: string | null;
    position: number | null;
    account_id: string | null;
    xmin: string;
  }>(
    "select id, slug, title, position, account_id, xmin from links where bucket_id = $1 order by position nulls first",
    [bucketId],
  );
  return rows;
}
