/** The target of a request, from its raw bytes: a parsed URL would rewrite `/a/../b`. */
export interface Target {
  /** The requested host as sent, with its port and in any case */
  readonly host: string;
  /** Raw path, still percent-encoded, without query and fragment */
  readonly path: string;
  /** Raw query without its question mark, "" if there is none */
  readonly query: string;
}

/**
 * Parses a request target (RFC 9112 section 3.2). The Host header names the host, unless the target is an absolute URL,
 * which then takes precedence (section 3.2.2). Forwarding headers are ignored.
 */
export function parseTarget(target: string, hostHeader: string): Target {
  const [, authority, rest = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  const [, path = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? [];
  return { host: authority ?? hostHeader, path: path || "/", query };
}

/** Valid values of a cookie's Path (RFC 6265 section 4.1.1); browsers compare it with the path as they sent it. */
const cookiePath = /^\/[\u0021-\u003A\u003C-\u007E]+$/;

/** Returns the Path of a cookie for one short URL, with all that it forwards; null if its path cannot be one. */
export function cookiePathOf(path: string): string | null {
  const [first = ""] = /^\/[^/]*/.exec(path) ?? [];
  return cookiePath.test(first) ? first : null;
}

/** After a bucket's slug: the number of one of its links. */
const item = String.raw`/[1-9]\d{0,8}`;
/** `/{slug}`, or `/{slug}/{number}` for a link of a bucket. */
const slugPath = new RegExp(`^/([^/]+)(${item})?/?$`);
/** `/{slug}` and whatever follows it. */
const longPath = /^(\/[^/]+)(\/.*)$/s;
/** A target whose path needs no decoding, with an optional query. */
const plainTarget = new RegExp(String.raw`^/[0-9A-Za-z_-]{1,64}(?:${item})?(?:\?|$)`);

/**
 * Returns the slug in a raw path, percent-decoded once, with the item number if there is one. Null for any other path:
 * more segments, an invalid or non-UTF-8 encoding, an encoded slash. One slash at the end changes nothing: mail programs
 * and people add it.
 */
export function slugOf(path: string): string | null {
  const [, segment, number = ""] = slugPath.exec(path) ?? [];
  if (segment === undefined) return null;
  try {
    const slug = decodeURIComponent(segment);
    return slug.includes("/") ? null : slug + number;
  } catch {
    return null;
  }
}

/** Divides a raw path with more than a slug into the slug, as `slugOf` returns it, and the rest as it was sent; else null. */
export function longPathOf(path: string): { slug: string; rest: string } | null {
  const [, first = "", rest = ""] = longPath.exec(path) ?? [];
  const slug = slugOf(first);
  return slug === null ? null : { slug, rest };
}

/** Returns what `slugOf` returns for the target's path if that needs no decoding; null if `slugOf` has to decide. */
export function plainSlugOf(target: string): string | null {
  if (!plainTarget.test(target)) return null;
  const query = target.indexOf("?");
  return query === -1 ? target.slice(1) : target.slice(1, query);
}
