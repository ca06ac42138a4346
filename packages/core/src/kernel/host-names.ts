import { domainToASCII } from "node:url";

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

/** What the URL parser takes for the authority: it skips tabs, line breaks and any number of slashes of both kinds. */
const authorityPattern = /^[^:/?#\\]*:[/\\\t\n\r]*([^/?#\\]*)/;

/** Whether the host of an absolute URL has more than 253 code points. */
export const hasLongHost = (url: string): boolean => isLongHost(authorityPattern.exec(url)?.[1] ?? "");

/** Parses an absolute URL; null if it is none, or if its host is longer than a DNS name. */
export const parseUrl = (text: string): URL | null => (hasLongHost(text) ? null : URL.parse(text));

/** Parses a URL that may be relative to another, such as a `Location` header; null as for `parseUrl`. */
export function parseReference(text: string, base: URL): URL | null {
  const isWithoutScheme = /^[\s\u0000-\u001f]*[/\\][\t\n\r]*[/\\]/.test(text);
  return hasLongHost(isWithoutScheme ? base.protocol + text.trimStart() : text)
    ? null
    : URL.parse(text, base.href);
}

/** The ASCII spelling of a host name; "" for text that is none or too long. */
export const hostToAscii = (name: string): string => (isLongHost(name) ? "" : domainToASCII(name));
