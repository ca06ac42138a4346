import type { CallDeps } from "../../rpc/call.ts";
import { OutboundError } from "../../outbound/outbound-error.ts";
import { looksLikeAction } from "./action-url.ts";
import { type Fetch, follow } from "./follow.ts";
import { createRobots } from "./robots.ts";
import type { HealthStatus } from "./statuses.ts";
import { verdictOf } from "./verdict.ts";

/** Milliseconds for one request */
const timeoutMs = 10_000;
/** The name by which a robots.txt can refuse the checks */
const agent = "TerseBot";

/** Checks one destination. Throws an OutboundError if `signal` ended it. */
export type CheckDestination = (url: URL, signal: AbortSignal) => Promise<HealthStatus>;

/**
 * Creates the check: a HEAD request and, unless it succeeds, a GET request, because many hosts answer HEAD wrongly. A GET obeys
 * robots.txt on every host on the way, and is never sent to a URL that looks like an action.
 */
export function createDestinationCheck(deps: CallDeps, stopping: AbortSignal): CheckDestination {
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
