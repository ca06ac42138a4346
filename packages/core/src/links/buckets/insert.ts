import type { LinkDeps } from "../call.ts";
import type { Pool, QueryResult } from "pg";
import { noLoop } from "../../domains/redirect-loops.ts";
import { ownDomainId } from "../../kernel/short-host.ts";
import { itemSlug } from "./items.ts";
import type { BucketRow } from "./read.ts";

/** A bucket's page has no destination. */
const noDestination = "";

/** The page comes first, so that transactions that want the same slug wait for each other at its row only. */
const statement = {
  name: "insert-bucket",
  text: `with bucket as (
           insert into buckets (id, account_id, name, last_number, created_at, updated_at, description, accent_color)
           select $1, $2, $3, cardinality($4::uuid[]) - 1, $5, $5, $11, $12
           where ${noLoop("$6", "$2")}
           returning id
         )
         insert into links (id, domain_id, bucket_id, slug, title, destination, position, created_at, updated_at)
         select i.id, $7, bucket.id, i.slug, i.title, i.destination, nullif(i.place, 1) - 1, $5, $5
         from bucket, unnest($4::uuid[], $8::text[], $9::text[], $10::text[])
           with ordinality as i (id, slug, title, destination, place)
         order by i.place`,
};

/** Inserts a bucket with its page and items, all or nothing; see `insertWithUniqueSlug`. */
export function insertBucket(
  database: Pick<Pool, "query">,
  { newId }: LinkDeps,
  {
    id,
    account_id,
    name,
    slug,
    links,
    created_at,
    description,
    accent_color,
  }: BucketRow & { account_id: string },
  destinationHosts: readonly string[],
): Promise<QueryResult> {
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
    [noDestination, ...links.map(({ url }) => url)],
    description,
    accent_color,
  ];
  return database.query({ ...statement, values });
}
