import type { LinkFilter, ModeratedLink } from "../integrations.types.ts";
import type { Base } from "../../db/base.ts";
import { isoTime } from "../../kernel/time.ts";
import { refusal } from "../../kernel/errors.ts";
import { hostnameOfHeader, ownDomainId } from "../../kernel/host-names.ts";
import { normalizeSlug, withoutGlued } from "../../kernel/slug.ts";
import { toHostName } from "../../safety/screening/host-name.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { ownerEmail } from "../../accounts/workspaces/membership.ts";
import { isPlain } from "../../kernel/validation/strings.ts";

interface Row extends Omit<ModeratedLink, "short_url"> {
  slug: string;
  domain: string;
}

/** An SQL condition on `l` (links), `b` (buckets) and `d` (domains), whose parameters begin at $2; $1 is the limit. */
interface Condition {
  sql: string;
  values: unknown[];
  /** Newest first by default */
  order?: string;
}

/** Reads links with their accounts. The links of a bucket belong to the bucket's account. */
export async function readLinks(
  { pool, shortHost }: Pick<Base, "pool" | "shortHost">,
  { sql, values, order = "l.created_at desc, l.id desc" }: Condition,
  limit: number,
): Promise<ModeratedLink[]> {
  const { rows } = await pool.query<Row>(
    `select l.id, l.slug, d.domain, l.destination, l.title, l.click_count::float8 as click_count,
       l.is_active::int as is_active, l.disabled_at, l.disabled_reason, l.created_at, l.bucket_id,
       case when u.id is not null then
         json_build_object('id', u.id, 'email', ${ownerEmail("u")}, 'suspended_at', u.suspended_at)
       end as account
     from links l
     join domains d on d.id = l.domain_id
     left join buckets b on b.id = l.bucket_id
     left join workspaces u on u.id = coalesce(l.account_id, b.account_id)
     where ${sql}
     order by ${order} limit $1`,
    [limit, ...values],
  );
  return rows.map(({ id, slug, domain, account, ...row }) => ({
    id,
    short_url: shortHost.urlOf(slug, domain),
    ...row,
    disabled_at: isoTime(row.disabled_at),
    created_at: isoTime(row.created_at),
    account: account && { ...account, suspended_at: isoTime(account.suspended_at) },
  }));
}

/** Throws 400 if the filter cannot match anything. */
export function conditionOf(filter: LinkFilter, { shortHost }: Pick<Base, "shortHost">): Condition {
  if ("newest" in filter) return newest;
  if ("host" in filter) return leadsTo(filter.host);
  if ("slug" in filter) return hasSlug(filter.slug, shortHost.hostname);
  if (!isId(filter.accountId))
    throw refusal("BAD_REQUEST", "account", "invalid_format", "must be the id of an account", {
      format: "id",
    });
  const sql = "(l.account_id = $2 or l.bucket_id in (select id from buckets where account_id = $2))";
  return { sql, values: [filter.accountId] };
}

/** Ids ascend with the time at which a link was made here, also of one that was imported with an earlier time. */
const newest: Condition = {
  sql: "l.id in (select id from links order by id desc limit $1)",
  values: [],
  order: "l.id desc",
};

const addressLiteral = /^\[[0-9a-f:.]+\]$/;

/** Stored URLs are as the URL parser writes them: http(s), without a user name, with a path. In JSON, a quote precedes them. */
function leadsTo(text: string): Condition {
  const host = toHostName(text) ?? (addressLiteral.test(text) ? text : null);
  if (host === null)
    throw refusal("BAD_REQUEST", "host", "invalid_format", "must be a host name, such as bad.example", {
      format: "host_name",
      example: "bad.example",
    });
  const pattern = `(^|")https?://([^/"]*\\.)?${host.replaceAll(/[.[\]]/g, "\\$&")}\\.?(:[0-9]+)?/`;
  return {
    sql: `(l.destination || coalesce(l.rules::text, '') || coalesce(l.geo_rules::text, '') || coalesce(l.ab_test::text, '')
      || coalesce(l.preview::text, '') || coalesce(to_json(l.fallback_url)::text, '')) ~ $2`,
    values: [pattern],
  };
}

/** Takes a slug, a bucket's `slug/number`, or a short URL, in every spelling that leads visitors there or to its preview page. */
function hasSlug(text: string, ownHost: string): Condition {
  const [, host, path = text] = /^(?:https?:\/\/([^/]+)\/)?([^?#]+)/i.exec(text.trim()) ?? [];
  const slug = normalizeSlug(decoded((withoutGlued(path) ?? path).replace(/(?:\+|%2B|\/)$/i, "")));
  if (!isPlain(slug))
    throw refusal("BAD_REQUEST", "slug", "invalid_format", "must be a slug or a short URL", {
      format: "slug",
    });
  if (host === undefined) return { sql: "l.slug = $2", values: [slug] };
  const hostname = hostnameOfHeader(host);
  if (hostname === ownHost) return { sql: "l.slug = $2 and l.domain_id = $3", values: [slug, ownDomainId] };
  return { sql: "l.slug = $2 and d.domain = $3", values: [slug, hostname] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw refusal("BAD_REQUEST", "slug", "invalid_format", "is not percent-encoded correctly", {
      format: "percent_encoding",
    });
  }
}
