import type { Pool, QueryConfig } from "pg";
import { isContact } from "../kernel/contacts.ts";
import type { ShortHost } from "../kernel/host-names.ts";
import { hostOfDestination } from "../safety/screening/host-name.ts";
import type { HostLists } from "../safety/screening/screening.ts";
import type { BucketPage, DomainSettings } from "./redirects.types.ts";
import { allOptionKinds, anyRules, type CachedRules, noRules, type RuleColumns } from "./rules/rules.ts";

/** Everything that makes a link more than a plain redirect. */
interface Rules extends CachedRules {
  /** Null unless the link is a bucket's page */
  page: BucketPage | null;
  /** Set if all of the link's options decide at once, so that the hot path can redirect */
  readonly isImmediate?: true;
  /** Why no rule decides: the account is suspended or being deleted, or a host list blocks a destination of the link */
  readonly gone?: "disabled" | "inactive" | "blocked";
}

/** The facts that a redirect needs; small, since a hundred thousand routes are cached. */
export interface Route {
  readonly link_id: string;
  readonly destination: string;
  /** Milliseconds since the epoch; kept for plain links, too, which may expire */
  readonly expires_at: number | null;
  /** Null for a plain link */
  readonly rules: Rules | null;
  /** `workspaces.number` of the account; 0 for none */
  readonly account: number;
  /** When the database was asked, by `performance.now()`; 0 if changes may have been missed since */
  loadedAt: number;
  /** Looked up since the cache last searched for a route to drop */
  used: boolean;
}

interface Row extends CachedRules {
  id: string;
  destination: string;
  account: number | null;
  gone: "disabled" | "inactive" | null;
}

const isSet = (value: unknown) => value !== null;

/** Makes a route of a link's row as `statements.route` selects it. `page` has the contents of a bucket's page. */
function toRoute(row: Row, page: BucketPage | null, loadedAt: number): Route {
  const values = Object.fromEntries(
    anyRules.map(({ column }) => [column, row[column as keyof CachedRules]]),
  ) as CachedRules;
  const { id, destination, expires_at, gone } = row;
  const deciding = anyRules.filter(({ column, needsDecision = isSet }) =>
    needsDecision(values[column as keyof CachedRules]),
  );
  const isPlain = page === null && gone === null && deciding.length === 0;
  const isImmediate = page === null && deciding.every((kind) => kind.decidesAtOnce);
  return {
    link_id: id,
    destination,
    expires_at,
    rules: isPlain
      ? null
      : {
          ...values,
          page,
          ...(isImmediate && { isImmediate }),
          ...(gone && { gone }),
        },
    account: row.account ?? 0,
    loadedAt,
    used: false,
  };
}

type StoredLink = { id: string; destination: string } & {
  [Column in keyof RuleColumns]?: RuleColumns[Column] | undefined;
};

/** Makes a route of a link as the ORM read it, which leaves out columns that are null. */
export function routeOf(link: StoredLink): Route {
  const values = anyRules.map(({ column, type }) => [
    column,
    type.toCached(link[column as keyof RuleColumns] ?? null),
  ]);
  const { id, destination } = link;
  const rules = Object.fromEntries(values) as CachedRules;
  return toRoute({ id, destination, account: null, gone: null, ...rules }, null, 0);
}

/**
 * A cached route is trusted until a trigger announces a change of what these read; a test compares the two. Code that changes an
 * avatar, or a title or a position on a bucket's page, also updates the bucket's `updated_at`, which a trigger watches.
 */
export const statements = {
  route: {
    name: "route",
    // The links of a bucket belong to the bucket's account. Because of the limit, the account is looked up by its id,
    // however small the table of accounts was when the statement was planned.
    text: `select links.id, bucket_id, destination, ${anyRules.map(({ column, type }) => type.select(column)).join(", ")},
             owner.account, owner.gone
           from links
           left join lateral (
             select number as account,
               case when suspended_at is not null then 'disabled' when deletes_at is not null then 'inactive' end as gone
             from workspaces
             where id = coalesce(links.account_id, (select account_id from buckets where buckets.id = bucket_id))
             limit 1
           ) owner on true
           where domain_id = $1 and slug = $2`,
  },
  page: {
    name: "bucket-page",
    text: `select b.name, b.description, b.accent_color, a.name as avatar, encode(a.image, 'base64') as image, items.links
           from buckets b
           left join bucket_avatars a on a.bucket_id = b.id
           cross join lateral (
             select json_agg(json_build_object('title', title, 'destination', destination,
               'number', split_part(slug, '/', 2)) order by position) as links
             from links where bucket_id = b.id and position is not null
           ) items
           where b.id = $1`,
  },
  domain: {
    name: "domain-of-host",
    text: `select id, root_url, not_found_url, expired_url, apple_app_site_association, assetlinks, import_from
           from domains where domain = $1 and status = 'verified' and account_id is not null`,
  },
};

/**
 * Reads a route: one indexed read by a named prepared statement, two for a bucket's page. Undefined if there is none.
 * The server's data was current at `asOf`.
 */
export async function loadRoute(
  { pool, asOf, shortHost }: { pool: Pool; asOf: number; shortHost: ShortHost },
  domainId: string,
  slug: string,
): Promise<Route | undefined> {
  const { rows } = await pool.query<Row & { bucket_id: string | null }>(
    withTimeout({ ...statements.route, values: [domainId, slug] }),
  );
  const row = rows[0];
  if (!row || isContact(row.destination)) return undefined;
  const page = row.bucket_id === row.id ? await loadPage(pool, row.id, shortHost.urlOf(slug)) : null;
  return page === undefined ? undefined : toRoute(row, page, asOf);
}

/** Undefined if the bucket was deleted a moment ago. */
async function loadPage(pool: Pool, bucketId: string, url: string): Promise<BucketPage | undefined> {
  const { rows } = await pool.query<StoredPage>(withTimeout({ ...statements.page, values: [bucketId] }));
  if (!rows[0]) return undefined;
  const { name, description, accent_color, avatar, image, links } = rows[0];
  return {
    name,
    url,
    description,
    accent_color,
    avatar: avatar !== null && image !== null ? { url: `${url}/${avatar}`, image } : null,
    links: links.map(({ title, destination, number }) => ({
      title,
      url: isContact(destination) ? destination : `${url}/${number}`,
      destination,
    })),
  };
}

interface StoredPage {
  name: string;
  description: string | null;
  accent_color: string | null;
  /** The last part of its path */
  avatar: string | null;
  image: string | null;
  links: { title: string; destination: string; number: string }[];
}

const description = {
  name: "link-description",
  text: "select title, (extract(epoch from created_at) * 1000)::float8 as created_at from links where id = $1",
};

/** A link's facts for its preview, besides its route. */
export interface Description {
  title: string | null;
  /** Milliseconds since the epoch */
  created_at: number;
}

/** Undefined if the link was deleted a moment ago. */
export async function loadDescription(pool: Pool, linkId: string): Promise<Description | undefined> {
  const { rows } = await pool.query<Description>(withTimeout({ ...description, values: [linkId] }));
  return rows[0];
}

export interface VerifiedDomain extends DomainSettings {
  readonly id: string;
  /** The service that is asked about unknown slugs, without a slash at the end; null for none */
  readonly import_from: string | null;
}

/** The verified custom domain with this host name; null if there is none. */
export async function verifiedDomain(pool: Pool, hostname: string): Promise<VerifiedDomain | null> {
  const { rows } = await pool.query<VerifiedDomain>(
    withTimeout({ ...statements.domain, values: [hostname] }),
  );
  return rows[0] ?? null;
}

/** Gives up on a connection that has stopped answering. The driver's types do not have the option. */
const withTimeout = (query: QueryConfig): QueryConfig & { query_timeout: number } => ({
  ...query,
  query_timeout: 2000,
});

type Lists = Pick<HostLists, "isBlocked">;

/** Marks a route that leads to a blocked host. It is not plain then, so the hot path need not check the mark. */
export function screened(route: Route, lists: Lists): Route {
  if (blockedHostOf(route, lists) === null) return route;
  const rules: Rules = route.rules ?? { ...noRules, expires_at: route.expires_at, page: null };
  return { ...route, rules: { ...rules, gone: rules.gone ?? "blocked" } };
}

/** Returns whether the lists have changed what `screened` returns for a route. */
export const isOutdated = (route: Route, lists: Lists): boolean =>
  (blockedHostOf(route, lists) !== null) !== (route.rules?.gone === "blocked");

/** Returns the first blocked host that a route leads to, or null. The links on a bucket's page have their own routes. */
export function blockedHostOf({ destination, rules }: Route, lists: Lists): string | null {
  const urls = [destination];
  if (rules !== null) {
    for (const { column, urlsIn } of allOptionKinds) {
      const value = rules[column as keyof CachedRules];
      if (value !== null) urls.push(...(urlsIn?.(value) ?? []).map(([, url]) => url));
    }
  }
  return urls.map(hostOfDestination).find(lists.isBlocked) ?? null;
}
