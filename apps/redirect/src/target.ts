/** What a request asks for, taken from the bytes it sent and not from a parsed URL, which would rewrite `/a/../b`. */
export interface Target {
  /** The host asked for, as sent: with its port, in any case */
  readonly host: string;
  /** Raw path, still percent-encoded, without query and fragment */
  readonly path: string;
}

/**
 * Reads a request target (RFC 9112 section 3.2). The Host header names the host, except where the target is itself
 * an absolute URL: then that one does (section 3.2.2). Forwarding headers are not asked.
 *
 * Queries are dropped: a short link leads where its owner said, and `?utm_source=…` on it adds nothing there.
 */
export function parseTarget(target: string, hostHeader: string): Target {
  const [, authority, rest = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  const end = rest.search(/[?#]/);
  return { host: authority ?? hostHeader, path: (end === -1 ? rest : rest.slice(0, end)) || "/" };
}

/** Behind a bucket's slug: which of its links. */
const item = String.raw`/[1-9]\d{0,8}`;
/** `/{slug}`, or `/{slug}/{number}` for a link of a bucket. */
const shape = new RegExp(`^/([^/]+)(${item})?$`);
/** A target whose path needs no decoding, and perhaps a query. */
const plainShape = new RegExp(String.raw`^/[0-9A-Za-z_-]{1,64}(?:${item})?(?:\?|$)`);

/**
 * The slug in a raw path, percent-decoded once, with the number behind it where there is one. Null where there is none:
 * more segments, a trailing slash, an encoding that is broken or not UTF-8, an encoded slash.
 */
export function slugOf(path: string): string | null {
  const [, segment, number = ""] = shape.exec(path) ?? [];
  if (segment === undefined) return null;
  try {
    const slug = decodeURIComponent(segment);
    return slug.includes("/") ? null : slug + number;
  } catch {
    return null;
  }
}

/** What `slugOf` gives for the target's path where that is plain; null where somebody has to look closer. */
export function plainSlugOf(target: string): string | null {
  if (!plainShape.test(target)) return null;
  const query = target.indexOf("?");
  return query === -1 ? target.slice(1) : target.slice(1, query);
}
