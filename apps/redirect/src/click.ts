import {
  campaignIn,
  type Decision,
  hintHeaders,
  isBotVisit,
  joinHints,
  type RawClick,
  requestFlags,
} from "@terse/core/redirect";
import type { Visit } from "./visit.ts";

/** Decisions that are counted: a followed link, a viewed bucket page, or a bot's preview of a link. */
export type Followed = Decision & { kind: "redirect" | "bucket" | "link_preview" };

export const isFollowed = (decision: Decision): decision is Followed =>
  decision.kind === "redirect" || decision.kind === "bucket" || decision.kind === "link_preview";

/** The request's client hints, as clicks keep them. */
export const hintsOf = ({ header }: Visit): string =>
  joinHints(header(hintHeaders.brands), header(hintHeaders.mobile), header(hintHeaders.platform));

/** The signs by which a request is a person's or a bot's. */
function clientOf(visit: Visit): Pick<RawClick, "user_agent" | "client_hints" | "flags"> {
  return {
    user_agent: visit.header("user-agent") ?? "",
    client_hints: hintsOf(visit),
    flags: requestFlags(visit.method, visit.header),
  };
}

/** Whether a request counts as a bot's. */
export const isBot = (visit: Visit): boolean => isBotVisit(clientOf(visit));

/** Returns the click log's record of a request, as received; the drain interprets it later. */
export function clickOf(visit: Visit, decision: Followed): RawClick {
  const redirect = decision.kind === "redirect" ? decision : undefined;
  return {
    link_id: decision.link_id,
    time: Date.now(),
    address: visit.client.address,
    referrer: visit.header("referer") ?? "",
    campaign: campaignIn(visit.target.query, redirect?.location ?? ""),
    country: visit.client.country ?? "",
    ...clientOf(visit),
    variant: redirect?.variant ?? -1,
    counts_as: redirect?.counts_as,
  };
}
