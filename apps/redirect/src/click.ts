import { type Decision, type RawClick, requestFlags } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";

/** What the click log keeps of a request that was sent on: as received, for the drain to make sense of. */
export function clickOf(c: Context<ServerEnv>, decision: Decision & { kind: "redirect" }): RawClick {
  return {
    link_id: decision.link_id,
    time: Date.now(),
    address: c.var.client.address,
    user_agent: c.req.header("user-agent") ?? "",
    referrer: c.req.header("referer") ?? "",
    country: c.var.client.country ?? "",
    flags: requestFlags(c.req.method, (name) => c.req.header(name)),
    variant: decision.variant ?? -1,
  };
}
