import type { Deps } from "../deps.ts";
import { ownDomainId } from "../short-host.ts";
import type { InsertOutcome } from "../links/index.ts";
import { itemSlug } from "./items.ts";
import type { BucketRow } from "./read.ts";

/** What a bucket's page leads to: nothing but itself. */
const nowhere = "";

/** The page comes first, so that all who want a slug meet at its row, and wait for nobody beyond it. */
const statement = {
  name: "insert-bucket",
  text: `with bucket as (
           insert into buckets (id, account_id, name, last_number, created_at, updated_at)
           select $1, $2, $3, cardinality($4::uuid[]) - 1, $5, $5
           where not exists (select from domains where domain = any($6) and status = 'verified')
           returning id
         )
         insert into links (id, domain_id, bucket_id, slug, title, destination, position, created_at, updated_at)
         select i.id, $7, bucket.id, i.slug, i.title, i.destination, nullif(i.place, 1) - 1, $5, $5
         from bucket, unnest($4::uuid[], $8::text[], $9::text[], $10::text[])
           with ordinality as i (id, slug, title, destination, place)
         order by i.place`,
};

/**
 * Inserts a bucket with its page and items, all or nothing, unless its slug is taken or one of its links is on a
 * verified custom domain, which would be a loop: both are decided by the database, in the statement that inserts.
 */
export async function insertBucket(
  { pool, newId }: Deps,
  { id, account_id, name, slug, links, created_at }: BucketRow & { account_id: string },
  destinationHosts: readonly string[],
): Promise<InsertOutcome> {
  const values = [
    id,
    account_id,
    name,
    [id, ...links.map(() => newId())],
    created_at,
    destinationHosts,
    ownDomainId,
    [slug, ...links.map((_, at) => itemSlug(slug, at + 1))],
    [null, ...links.map(({ title }) => title)],
    [nowhere, ...links.map(({ url }) => url)],
  ];
  try {
    const { rowCount } = await pool.query({ ...statement, values });
    return rowCount === 0 ? "loop" : "inserted";
  } catch (error) {
    if ((error as { code?: unknown }).code === "23505") return "slug taken"; // unique_violation
    throw error;
  }
}
