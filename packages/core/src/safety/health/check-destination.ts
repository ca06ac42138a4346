import { decoded } from "@terse/importers/text";
import { parseReference } from "../../kernel/host-names.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { createRobots, type Fetch } from "./robots.ts";
import { type HealthStatus, verdictOf } from "./verdict.ts";

/** Milliseconds for one request */
const timeoutMs = 10_000;
/** The name by which a robots.txt can refuse the checks */
const agent = "TerseBot";

/**
 * Creates the check of one destination, which throws an OutboundError if `signal` ended it: a HEAD request and, unless it succeeds, a GET request, because many hosts answer HEAD wrongly. A GET obeys
 * robots.txt on every host on the way, and is never sent to a URL that looks like an action.
 */
export function createDestinationCheck(
  deps: Pick<CallDeps, "outbound" | "baseUrl" | "clock">,
  stopping: AbortSignal,
): (url: URL, signal: AbortSignal) => Promise<HealthStatus> {
  const fetchUntil =
    (signal: AbortSignal): Fetch =>
    (method, url, maxBytes) =>
      deps.outbound.send(url, {
        method,
        headers: {
          accept: "*/*",
          "user-agent": `Mozilla/5.0 (compatible; ${agent}/1.0; +${deps.baseUrl})`,
        },
        timeoutMs,
        maxBytes,
        signal,
      });
  const robots = createRobots(fetchUntil(stopping), agent, deps.clock);
  const mayGet = async (url: URL) => (await robots.allows(url)) && !looksLikeAction(url);

  return async (url, signal) => {
    const fetch = fetchUntil(signal);
    const byHead = await outcomeOf(() => follow(fetch, "HEAD", url, async () => true));
    if (byHead === "ok" || byHead === "private") return byHead === "ok" ? "ok" : "unknown";
    const byGet = await outcomeOf(() => follow(fetch, "GET", url, mayGet));
    return byGet === "private" ? "unknown" : byGet;
  };
}

/** A private address says nothing about a destination: only its own network can reach it. */
async function outcomeOf(request: () => ReturnType<typeof follow>): Promise<HealthStatus | "private"> {
  try {
    const end = await request();
    if (end === "not allowed") return "unknown";
    return end.status === null ? "broken" : verdictOf(end.status);
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === "stopped") throw error;
    return error.kind === "private" ? "private" : "unreachable";
  }
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The last answer on the way from a URL; the status is null if the way is too long, or ends nowhere. */
async function follow(
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

/** Words in a path or query that name an action of the request. */
const actions =
  /unsub|optout|opt[_.-]out|(?:log|sign)[_.-]?(?:out|off)|delet|remov|destroy|purge|cancel|confirm|verif|activat|approv|reject|decline|accept|revoke|reset|redeem|invit|magic|checkout|abmeld|abbestell|austrag|l(?:ö|oe)sch|k(?:ü|ue)ndig|best(?:ä|ae)tig|stornier|widerruf|d[eé]sabonn|d[eé]sins?cri|supprim|annul|eliminar|cancell|disdici|uitschrijv|afmeld/;
/** Ends of the names of parameters that carry a one-time secret, or name an action */
const secrets = /(?:token|code|key|sig|signature|secret|otp|nonce|jwt|ticket|hash|auth|action|cmd|^do|^op)$/;
/** The longest URL that is examined; a longer one counts as an action. */
const maxLength = 2000;

/** Whether a GET request for this URL might do something, such as unsubscribe a reader: a robot must not send it. */
function looksLikeAction({ pathname, search, searchParams }: URL): boolean {
  const text = pathname + search;
  return (
    text.length > maxLength ||
    actions.test(decoded(text).normalize("NFC").toLowerCase()) ||
    [...searchParams.keys()].some((name) => secrets.test(name.toLowerCase()))
  );
}
