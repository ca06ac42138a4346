import { createRequire } from "node:module";
import { domainToASCII } from "node:url";
import type * as Tldts from "tldts";

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4). */
export const maxHostLength = 253;

/**
 * Every host and URL that a caller sends goes through this file before a parser sees it. Punycode (RFC 3492) takes
 * quadratic time, so a host that is longer than any DNS name is refused first.
 */

/** Whether a host, with its port if it has one, has more than 253 code points. */
export function isLongHost(authority: string): boolean {
  if (authority.length <= maxHostLength) return false;
  const name = authority.replace(/:\d*$/, "").replace(/\.$/, "");
  return name.length > 2 * maxHostLength || Array.from(name).length > maxHostLength;
}

/** The text that the URL parser reads as the authority: it skips tabs, line breaks and any number of slashes of both kinds. */
const authorityPattern = /^[^:/?#\\]*:[/\\\t\n\r]*([^/?#\\]*)/;

/** Whether the host of an absolute URL has more than 253 code points. */
export const hasLongHost = (url: string): boolean => isLongHost(authorityPattern.exec(url)?.[1] ?? "");

/** Parses an absolute URL; null if it is not one, or if its host is longer than a DNS name. */
export const parseUrl = (text: string): URL | null => (hasLongHost(text) ? null : URL.parse(text));

/** Parses a URL that may be relative to another, such as a `Location` header; null as for `parseUrl`. */
export function parseReference(text: string, base: URL): URL | null {
  const isWithoutScheme = /^[\s\u0000-\u001f]*[/\\][\t\n\r]*[/\\]/.test(text);
  return hasLongHost(isWithoutScheme ? base.protocol + text.trimStart() : text)
    ? null
    : URL.parse(text, base.href);
}

/** The ASCII spelling of a host name; "" for text that is not one, or is too long. */
export const hostToAscii = (name: string): string => (isLongHost(name) ? "" : domainToASCII(name));

const mixesScripts = (label: string): boolean =>
  /\p{Script=Latin}/u.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(label);

/**
 * An e-mail address, or the domain of one, in the one spelling in which it is compared and stored: in lower case, the domain as
 * DNS has it (`xn--…`). Characters that are not ASCII stay before the @, and in domains whose labels mix scripts to look like
 * others; no address has them.
 */
export function emailToAscii(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  const isPlain = !/[^\0-\x7F]/.test(domain) || domain.split(/[.。．｡]/).some(mixesScripts);
  const ascii = isPlain ? address : address.slice(0, at) + hostToAscii(domain);
  // Only these: the lower case of the Kelvin sign is k.
  return ascii.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

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

let suffixes: typeof Tldts | undefined;

/** The public suffix list takes 10 MB: processes that only redirect never ask for it, and do not load it. */
export const publicSuffixes = (): typeof Tldts =>
  (suffixes ??= createRequire(import.meta.url)("tldts") as typeof Tldts);
