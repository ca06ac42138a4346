const SCHEME = /^\s*(?:https?|android-app):\/\//i;
const HOST = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;
const MAX_HOST = 253;
const MAX_READ = 1024;

/**
 * The host that a `Referer` header names, never its path or query: lower case, international names in Punycode, no
 * port, no trailing dot. Of `android-app://com.slack/` the package. Null for none, other schemes and invalid text.
 */
export function referrerHost(referrer: string): string | null {
  if (!SCHEME.test(referrer)) return null;
  const name = URL.parse(referrer.slice(0, MAX_READ))?.hostname.toLowerCase();
  if (!name) return null;
  const host = name.endsWith(".") ? name.slice(0, -1) : name;
  return host.length <= MAX_HOST && HOST.test(host) ? host : null;
}

/** What referrers are called that are not told apart. No host has parentheses, so that no sender can claim the name. */
export const otherReferrers = "(other)";
