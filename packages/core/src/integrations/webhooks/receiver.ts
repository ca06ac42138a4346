import type { AnalyticsDeps } from "../../analytics/call.ts";
import { assertNotOwnHost } from "../../domains/redirect-loops.ts";
import { AppError } from "../../kernel/errors.ts";

/** Refuses (400) URLs that events must not be sent to. Addresses are judged again when a request connects, see outbound/guard.ts. */
export async function refuseReceiver(deps: AnalyticsDeps, url: string): Promise<void> {
  assertNotOwnHost(deps, [["url", url]]);
  // The operator's own network rarely has certificates.
  if (!url.startsWith("https:") && !deps.outbound.allowsPrivate)
    throw new AppError("BAD_REQUEST", "url: must be an https:// URL");
  if (await deps.outbound.isForbidden(new URL(url).hostname))
    throw new AppError(
      "BAD_REQUEST",
      "url: leads into a private network, which events are not sent to; give a public host, or have the operator allow the network",
    );
}
