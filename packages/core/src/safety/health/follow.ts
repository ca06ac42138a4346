import { parseReference } from "../../kernel/host-names.ts";
import type { OutboundAnswer } from "../../outbound/outbound.ts";

/** Sends one request, which follows no redirect. Throws an OutboundError. */
export type Fetch = (method: "HEAD" | "GET", url: URL, maxBytes: number) => Promise<OutboundAnswer>;

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The last answer on the way from a URL; the status is null if the way is too long, or ends nowhere. */
export async function follow(
  fetch: Fetch,
  method: "HEAD" | "GET",
  start: URL,
  mayFetch: (url: URL) => Promise<boolean>,
): Promise<{ status: number | null } | "not allowed"> {
  let url = start;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    if (!(await mayFetch(url))) return "not allowed";
    const { status, location } = await fetch(method, url, 2048);
    if (!redirects.has(status) || location === null) return { status };
    const next = nextUrl(location, url);
    if (next === null) return { status: null };
    url = next;
  }
  return { status: null };
}

/** Where a Location header leads; null unless that is an http or https URL. */
function nextUrl(location: string, base: URL): URL | null {
  const next = location.length > 8000 ? null : parseReference(location, base);
  return next && /^https?:$/.test(next.protocol) ? next : null;
}
