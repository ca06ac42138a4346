const schemePattern = /^\s*(?:https?|android-app):\/\//i;
const hostPattern = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;
const maxHost = 253;
const maxRead = 1024;

/**
 * Returns the host of a `Referer` header, without path and query: lower case, Punycode, no port, no trailing dot; the
 * package of an Android app such as `android-app://com.slack/`. Null if there is none, for other schemes and invalid text.
 */
export function referrerHost(referrer: string): string | null {
  if (!schemePattern.test(referrer)) return null;
  const name = URL.parse(referrer.slice(0, maxRead))?.hostname.toLowerCase();
  if (!name) return null;
  const host = name.endsWith(".") ? name.slice(0, -1) : name;
  return host.length <= maxHost && hostPattern.test(host) ? host : null;
}

/** The name for referrers that are not counted apart. Hosts have no parentheses, so no sender can claim it. */
export const otherReferrers = "(other)";
