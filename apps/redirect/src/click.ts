import { type Decision, type RawClick, requestFlags } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { hintsOf } from "./visitor.ts";

/** Decisions that are counted: a followed link, a viewed bucket page, or a bot's preview of a link. */
export type Followed = Decision & { kind: "redirect" | "bucket" | "link_preview" };

export const isFollowed = (decision: Decision): decision is Followed =>
  decision.kind === "redirect" || decision.kind === "bucket" || decision.kind === "link_preview";

/** Returns the click log's record of a request, as received; the drain interprets it later. */
export function clickOf(c: Context<ServerEnv>, decision: Followed): RawClick {
  return {
    link_id: decision.link_id,
    time: Date.now(),
    address: c.var.client.address,
    user_agent: c.req.header("user-agent") ?? "",
    referrer: c.req.header("referer") ?? "",
    client_hints: hintsOf(c),
    country: c.var.client.country ?? "",
    flags: requestFlags(c.req.method, (name) => c.req.header(name)),
    variant: (decision.kind === "redirect" ? decision.variant : null) ?? -1,
  };
}
