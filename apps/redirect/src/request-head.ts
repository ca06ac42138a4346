import { hintHeaders, purposeHeaders } from "@terse/core/redirect";

/** The headers that the hot path needs; undefined if missing. */
export interface Head {
  host: string | undefined;
  userAgent: string | undefined;
  referrer: string | undefined;
  requestId: string | undefined;
  /** Client hints */
  brands: string | undefined;
  mobile: string | undefined;
  platform: string | undefined;
  /** The app has to handle the request: it may not be a person's click, or a header was sent twice */
  special: boolean;
}

const purposes: ReadonlySet<string> = new Set(purposeHeaders);
/** True at the lengths of the names that are read. Few other names have such a length, so few are lower-cased. */
const lengths: boolean[] = Array.from({ length: 32 }, () => false);
for (const name of [
  "host",
  "user-agent",
  "referer",
  "x-request-id",
  ...Object.values(hintHeaders),
  ...purposes,
])
  lengths[name.length] = true;

/**
 * Reads a raw header list (name, value, name, value …) in one pass. Node's `headers` first builds an object of all
 * headers in lower case, which costs more than the rest of a redirect.
 */
export function readHead(raw: readonly string[]): Head {
  const head: Head = {
    host: undefined,
    userAgent: undefined,
    referrer: undefined,
    requestId: undefined,
    brands: undefined,
    mobile: undefined,
    platform: undefined,
    special: false,
  };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const rawName = raw[at] as string;
    if (lengths[rawName.length] !== true) continue;
    const name = rawName.toLowerCase();
    const value = raw[at + 1] as string;
    switch (name) {
      case "host": // never twice: the listener rejects such requests
        head.host = value;
        break;
      case "user-agent":
        head.special ||= head.userAgent !== undefined;
        head.userAgent = value;
        break;
      case "referer":
        head.special ||= head.referrer !== undefined;
        head.referrer = value;
        break;
      case "x-request-id":
        head.special ||= head.requestId !== undefined;
        head.requestId = value;
        break;
      case hintHeaders.brands:
        head.special ||= head.brands !== undefined;
        head.brands = value;
        break;
      case hintHeaders.mobile:
        head.special ||= head.mobile !== undefined;
        head.mobile = value;
        break;
      case hintHeaders.platform:
        head.special ||= head.platform !== undefined;
        head.platform = value;
        break;
      default:
        head.special ||= purposes.has(name);
    }
  }
  return head;
}

/** Returns all values of a header, joined as `Headers.get` does (RFC 9110 section 5.3; cookies by RFC 6265 section 5.4). */
export function headerOf(raw: readonly string[], wanted: string): string | undefined {
  const name = wanted.toLowerCase();
  let joined: string | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const rawName = raw[at] as string;
    // Few names have the same length, so few are lower-cased.
    if (rawName.length !== name.length || rawName.toLowerCase() !== name) continue;
    const value = raw[at + 1] as string;
    joined = joined === undefined ? value : `${joined}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return joined;
}
