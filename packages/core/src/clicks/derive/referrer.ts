const schemePattern = /^\s*(?:https?|android-app):\/\//i;
const hostPattern = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;
const maxHost = 253;
const maxRead = 1024;

/**
 * The host that a `Referer` header names, never its path or query: lower case, international names in Punycode, no
 * port, no trailing dot. Of `android-app://com.slack/` the package. Null for none, other schemes and invalid text.
 */
export function referrerHost(referrer: string): string | null {
  if (!schemePattern.test(referrer)) return null;
  const name = URL.parse(referrer.slice(0, maxRead))?.hostname.toLowerCase();
  if (!name) return null;
  const host = name.endsWith(".") ? name.slice(0, -1) : name;
  return host.length <= maxHost && hostPattern.test(host) ? host : null;
}

/** What referrers are called that are not told apart. No host has parentheses, so that no sender can claim the name. */
export const otherReferrers = "(other)";
