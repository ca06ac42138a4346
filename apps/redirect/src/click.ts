import {
  campaignIn,
  type Decision,
  hintHeaders,
  isBotVisit,
  joinHints,
  type RawClick,
  requestFlags,
} from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { targetOf, toAscii } from "./request-target.ts";

/** Decisions that are counted: a followed link, a viewed bucket page, or a bot's preview of a link. */
export type Followed = Decision & { kind: "redirect" | "bucket" | "link_preview" };

export const isFollowed = (decision: Decision): decision is Followed =>
  decision.kind === "redirect" || decision.kind === "bucket" || decision.kind === "link_preview";

/** The request's client hints, as clicks keep them. */
export const hintsOf = (c: Context): string =>
  joinHints(
    c.req.header(hintHeaders.brands),
    c.req.header(hintHeaders.mobile),
    c.req.header(hintHeaders.platform),
  );

/** What tells whether a person or a bot sent a request. */
function clientOf(c: Context<ServerEnv>): Pick<RawClick, "user_agent" | "client_hints" | "flags"> {
  return {
    user_agent: c.req.header("user-agent") ?? "",
    client_hints: hintsOf(c),
    flags: requestFlags(c.req.method, (name) => c.req.header(name)),
  };
}

/** Whether a request counts as a bot's. */
export const isBot = (c: Context<ServerEnv>): boolean => isBotVisit(clientOf(c));

/** Returns the click log's record of a request, as received; the drain interprets it later. */
export function clickOf(c: Context<ServerEnv>, decision: Followed): RawClick {
  const redirect = decision.kind === "redirect" ? decision : undefined;
  return {
    link_id: decision.link_id,
    time: Date.now(),
    address: c.var.client.address,
    referrer: c.req.header("referer") ?? "",
    campaign: toAscii(campaignIn(targetOf(c.req.raw, c.env).query, redirect?.location ?? "")),
    country: c.var.client.country ?? "",
    ...clientOf(c),
    variant: redirect?.variant ?? -1,
    counts_as: redirect?.counts_as,
  };
}
