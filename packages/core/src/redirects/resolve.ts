import { ownDomainId } from "../domains/index.ts";
import type { Deps } from "../deps.ts";
import type { AbTest, GeoRule } from "../links/index.ts";
import { verifyPassword } from "../links/index.ts";
import type { Decision, Redirects } from "../types.ts";
import { geoUrl, variantOf } from "./targeting.ts";

interface Row {
  id: string;
  destination: string;
  is_active: boolean;
  /** Milliseconds since the epoch */
  expires_ms: number | null;
  password_hash: string | null;
  geo_rules: GeoRule[] | null;
  ab_test: AbTest | null;
}

const columns = `l.id, l.destination, l.is_active, (extract(epoch from l.expires_at) * 1000)::float8 as expires_ms,
  l.password_hash, l.geo_rules, l.ab_test`;

export function createRedirects({ pool, shortHost, clock }: Deps): Redirects {
  async function find(hostname: string, slug: string): Promise<Row | undefined> {
    const query =
      hostname === shortHost.hostname
        ? {
            name: "resolve-own",
            text: `select ${columns} from links l where l.domain_id = '${ownDomainId}' and l.slug = $1`,
            values: [slug],
          }
        : {
            name: "resolve-custom",
            text: `select ${columns} from links l join domains d on d.id = l.domain_id
                   where d.domain = $1 and d.status = 'verified' and l.slug = $2`,
            values: [hostname, slug],
          };
    return (await pool.query<Row>(query)).rows[0];
  }

  return {
    async resolve(host, rawSlug, visitor) {
      const slug = rawSlug.normalize("NFC");
      const hostname = hostnameOfHeader(host);
      if (hostname === "" || slug.includes("\0") || slug.length > 256) return { kind: "not_found" };
      const link = await find(hostname, slug);
      if (!link) return { kind: "not_found" };
      if (!link.is_active) return { kind: "gone", reason: "inactive" };
      if (link.expires_ms !== null && link.expires_ms <= clock().getTime())
        return { kind: "gone", reason: "expired" };
      if (link.password_hash !== null) {
        const given = visitor.password;
        const right = given !== undefined && (await verifyPassword(given, link.password_hash));
        if (!right) return { kind: "password", link_id: link.id, wrong: given !== undefined };
      }
      const to = (location: string, variant: number | null = null): Decision => ({
        kind: "redirect",
        link_id: link.id,
        location,
        variant,
      });
      const geo = link.geo_rules && geoUrl(link.geo_rules, visitor.country());
      if (geo) return to(geo);
      if (!link.ab_test) return to(link.destination);
      const variant = variantOf(link.ab_test, link.id, visitor.id());
      return to(link.ab_test.variants[variant]?.url ?? link.destination, variant);
    },
  };
}

/** The host name in a Host header (RFC 9110 section 7.2): no port, lower case, no trailing dot. */
function hostnameOfHeader(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
