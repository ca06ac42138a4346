import type { Pool, QueryConfig } from "pg";
import type { ShortHost } from "../kernel/short-host.ts";
import type { AbTest, GeoRule, BucketPage } from "./redirects.types.ts";

/** What makes a link more than a plain redirect. */
export interface Rules {
  is_active: boolean;
  password_hash: string | null;
  geo_rules: GeoRule[] | null;
  ab_test: AbTest | null;
  /** Null unless the link is a bucket's page */
  page: BucketPage | null;
}

/** What redirecting needs to know of a link; small, since a hundred thousand of them are kept in memory. */
export interface Route {
  readonly link_id: string;
  readonly destination: string;
  /** Milliseconds since the epoch */
  readonly expires_at: number | null;
  /** Null for a plain link */
  readonly rules: Rules | null;
  /** When the database was asked for it, by `performance.now()`; 0 where changes may have been missed since */
  loadedAt: number;
  /** Asked for since the cache last looked for something to drop */
  used: boolean;
}

interface Row extends Omit<Rules, "page"> {
  id: string;
  destination: string;
  expires_at: number | null;
}

/** The route that a link's row makes, `page` where it is a bucket's. */
export function toRoute(row: Row, page: BucketPage | null = null, loadedAt = 0): Route {
  const { id, destination, expires_at, is_active, password_hash, geo_rules, ab_test } = row;
  const plain =
    is_active && password_hash === null && geo_rules === null && ab_test === null && page === null;
  const rules = plain ? null : { is_active, password_hash, geo_rules, ab_test, page };
  return { link_id: id, destination, expires_at, rules, loadedAt, used: false };
}

/** One indexed read by a named prepared statement, two for a bucket's page; undefined where nobody has the slug. */
export async function loadRoute(
  { pool, shortHost }: { pool: Pool; shortHost: ShortHost },
  domainId: string,
  slug: string,
): Promise<Route | undefined> {
  const askedAt = performance.now();
  const { rows } = await pool.query<Row & { bucket_id: string | null }>(
    patiently({
      name: "route",
      text: `select id, destination, (extract(epoch from expires_at) * 1000)::float8 as expires_at,
               is_active, password_hash, geo_rules, ab_test, bucket_id
             from links where domain_id = $1 and slug = $2`,
      values: [domainId, slug],
    }),
  );
  const row = rows[0];
  if (!row) return undefined;
  const page = row.bucket_id === row.id ? await loadPage(pool, row.id, shortHost.urlOf(slug)) : null;
  return page === undefined ? undefined : toRoute(row, page, askedAt);
}

/** Undefined where the bucket was deleted a moment ago. */
async function loadPage(pool: Pool, bucketId: string, url: string): Promise<BucketPage | undefined> {
  const { rows } = await pool.query<{ name: string; title: string; destination: string; number: string }>(
    patiently({
      name: "bucket-page",
      text: `select b.name, i.title, i.destination, split_part(i.slug, '/', 2) as number
             from buckets b join links i on i.bucket_id = b.id and i.position is not null
             where b.id = $1 order by i.position`,
      values: [bucketId],
    }),
  );
  const links = rows.map(({ title, destination, number }) => ({
    title,
    url: `${url}/${number}`,
    destination,
  }));
  return rows[0] && { name: rows[0].name, url, links };
}

/** The verified custom domain of a host name; null where there is none. */
export async function verifiedDomain(pool: Pool, hostname: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    patiently({
      name: "domain-of-host",
      text: "select id from domains where domain = $1 and status = 'verified' and account_id is not null",
      values: [hostname],
    }),
  );
  return rows[0]?.id ?? null;
}

/** A look-up on a connection that has gone silent gives that up. The driver's types do not know of the option. */
const patiently = (query: QueryConfig): QueryConfig & { query_timeout: number } => ({
  ...query,
  query_timeout: 2000,
});
