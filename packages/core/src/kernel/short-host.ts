/**
 * Id of the `domains` row of the service's own short-link host. Its name always comes from SHORT_BASE, so links follow a
 * service that moves to another host.
 */
export const ownDomainId = "00000000-0000-0000-0000-000000000000";

/** The service's own short-link host, from SHORT_BASE. */
export interface ShortHost {
  /** Origin without a trailing slash: http://localhost:3001 */
  readonly origin: string;
  /** Host, with the port if it is not the scheme's default: localhost:3001 */
  readonly host: string;
  /** Host name as DNS compares it: lower case, no trailing dot, no port */
  readonly hostname: string;
  /** Port of the origin, "" if it is the scheme's default */
  readonly port: string;
  /** The public address of a slug or a bucket's link, on this host or a custom domain; percent-encoded (RFC 3986) */
  urlOf(slug: string, customDomain?: string): string;
}

/** The host name of a URL in lower case (RFC 4343), without a trailing dot. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/\.$/, "");

/** Throws a TypeError if `shortBase` is not an absolute URL. */
export function createShortHost(shortBase: string): ShortHost {
  const base = new URL(shortBase);
  const origin = base.origin;
  return {
    origin,
    host: base.host,
    hostname: hostnameOf(base),
    port: base.port,
    urlOf: (slug, customDomain) =>
      `${customDomain ? `${base.protocol}//${customDomain}` : origin}/${encodeURIComponent(slug).replace("%2F", "/")}`,
  };
}

/** The host name in a Host header (RFC 9110 section 7.2): no port, lower case, no trailing dot. */
export function hostnameOfHeader(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
