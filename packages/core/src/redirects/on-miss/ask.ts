import { parseReference } from "../../kernel/host-names.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { OutboundError } from "../../outbound/outbound-error.ts";
import { parseDestination } from "../destination.ts";

/** Sent with every request, so that another service of this kind does not ask further. */
export const importAgent = "Terse-Import/1.0";

const request = {
  headers: { "user-agent": importAgent, accept: "*/*" },
  maxBytes: 1,
  timeoutMs: 3000,
} as const;

/** The service gave no answer that says whether it has the link. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Asks a service where its short URL for a slug leads; null if it has none. Follows no redirect. Throws NoAnswer. */
export async function askFor(outbound: Outbound, base: string, slug: string): Promise<string | null> {
  const url = new URL(`${base}/${encodeURIComponent(slug)}`);
  let answer = await send(outbound, url, "HEAD");
  if (answer.status === 405 || answer.status === 501) answer = await send(outbound, url, "GET");
  const { status, location } = answer;
  if (status === 429 || status >= 500) throw new NoAnswer(`It answers with status ${status}`);
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  const absolute = parseReference(location, url);
  // To itself: another spelling, a page to sign in, or the start page for a slug that it does not know.
  if (absolute === null || absolute.hostname === url.hostname) return null;
  const destination = parseDestination(absolute.href);
  return destination.ok ? destination.url : null;
}

async function send(outbound: Outbound, url: URL, method: "HEAD" | "GET") {
  try {
    return await outbound.send(url, { ...request, method });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new NoAnswer(error.message, { cause: error });
  }
}
