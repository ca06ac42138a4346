import { isIPv4 } from "node:net";
import { hostToAscii, isLongHost, maxHostLength } from "../../kernel/host-names.ts";

const ascii = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
/** The URL parser takes a host whose last label is a number for an IPv4 address. */
const numeric = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
/** Characters that IDNA maps (UTS #46), and no URL delimiters. */
const international = /^(?:[a-z0-9._-]|[^\u0000-\u007F])+$/;

/**
 * Returns a DNS name or IPv4 address as `URL.hostname` spells it: ASCII, lower case, without a trailing dot. Null for
 * anything else.
 */
export function toHostName(text: string): string | null {
  if (isLongHost(text)) return null;
  const lower = text.toLowerCase();
  const name = lower.endsWith(".") ? lower.slice(0, -1) : lower;
  const host = ascii.test(name) ? name : fromInternational(name);
  if (host === null || host.length > maxHostLength) return null;
  return numeric.test(host) && !isIPv4(host) ? null : host;
}

function fromInternational(name: string): string | null {
  if (!international.test(name)) return null;
  const host = hostToAscii(name).replace(/\.$/, "");
  return ascii.test(host) ? host : null;
}

/** Returns the host of a stored destination, which the URL parser has normalized: much quicker than parsing it again. */
export function hostOfDestination(url: string): string {
  const start = url.indexOf("://") + 3;
  const authority = url.slice(start, url.indexOf("/", start));
  const port = authority.lastIndexOf(":");
  const host = port > authority.lastIndexOf("]") ? authority.slice(0, port) : authority;
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
