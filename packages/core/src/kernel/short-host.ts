/**
 * The row that stands for the service's own short-link host among the domains. Its name is whatever SHORT_BASE says
 * today, so a service that moves takes its links along.
 */
export const ownDomainId = "00000000-0000-0000-0000-000000000000";

/** The service's own short-link host, as SHORT_BASE names it. */
export interface ShortHost {
  /** Origin without a trailing slash: http://localhost:3001 */
  readonly origin: string;
  /** Host with its port where that is not the scheme's: localhost:3001 */
  readonly host: string;
  /** Host name as DNS compares it: lower case, no trailing dot, no port */
  readonly hostname: string;
  /** Port of the origin, "" where it is the scheme's */
  readonly port: string;
  /** The public address of a slug on this host, or on a custom domain; percent-encoded (RFC 3986) */
  urlOf(slug: string, customDomain?: string): string;
}

/** Lower case, no trailing dot: two spellings of one DNS name (RFC 4343) become one. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/\.$/, "");

/** Throws a TypeError where `shortBase` is not an absolute http(s) URL. */
export function createShortHost(shortBase: string): ShortHost {
  const base = new URL(shortBase);
  const origin = base.origin;
  return {
    origin,
    host: base.host,
    hostname: hostnameOf(base),
    port: base.port,
    urlOf: (slug, customDomain) =>
      `${customDomain ? `${base.protocol}//${customDomain}` : origin}/${encodeURIComponent(slug)}`,
  };
}

/** The host name in a Host header (RFC 9110 section 7.2): no port, lower case, no trailing dot. */
export function hostnameOfHeader(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
