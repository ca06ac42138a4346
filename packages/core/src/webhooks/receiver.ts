import type { Deps } from "../deps.ts";
import { refuseOwnHost } from "../domains/index.ts";
import { AppError } from "../kernel/errors.ts";

/** Refuses (400) URLs that events must not be sent to. Addresses are judged when a request connects, see outbound/guard.ts. */
export function refuseReceiver(deps: Deps, url: string): void {
  refuseOwnHost(deps, [["url", url]]);
  // The operator's own network rarely has certificates.
  if (!url.startsWith("https:") && !deps.outbound.allowsPrivate)
    throw new AppError("BAD_REQUEST", "url: must be an https:// URL");
}
