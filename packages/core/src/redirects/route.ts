import type { Pool, QueryConfig } from "pg";
import type { AbTest, GeoRule } from "../links/index.ts";

/** What makes a link more than a plain redirect. */
export interface Rules {
  is_active: boolean;
  password_hash: string | null;
  geo_rules: GeoRule[] | null;
  ab_test: AbTest | null;
}

/** What redirecting needs to know of a link; small, since a hundred thousand of them are kept in memory. */
export interface Route {
  readonly link_id: string;
  readonly destination: string;
  /** Milliseconds since the epoch */
  readonly expires_at: number | null;
  /** Null for a plain link */
  readonly rules: Rules | null;
  /** When the database was asked for it, in milliseconds since the epoch; 0 where changes may have been missed since */
  loaded_at: number;
  /** Asked for since the cache last looked for something to drop */
  used: boolean;
}

interface Row extends Rules {
  id: string;
  destination: string;
  expires_at: number | null;
}

/** One indexed read by a named prepared statement; undefined where nobody has the slug. */
export async function loadRoute(
  pool: Pool,
  domainId: string,
  slug: string,
  now: number,
): Promise<Route | undefined> {
  const { rows } = await pool.query<Row>(
    patiently({
      name: "route",
      text: `select id, destination, (extract(epoch from expires_at) * 1000)::float8 as expires_at,
               is_active, password_hash, geo_rules, ab_test
             from links where domain_id = $1 and slug = $2`,
      values: [domainId, slug],
    }),
  );
  const row = rows[0];
  if (!row) return undefined;
  const { id, destination, expires_at, is_active, password_hash, geo_rules, ab_test } = row;
  const plain = is_active && password_hash === null && geo_rules === null && ab_test === null;
  const rules = plain ? null : { is_active, password_hash, geo_rules, ab_test };
  return { link_id: id, destination, expires_at, rules, loaded_at: now, used: false };
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
