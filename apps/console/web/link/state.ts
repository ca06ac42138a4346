import type { Link } from "../links/link.ts";

/** The first reason that stops visitors, in the order of the service; `active` if none does. */
export type State = "blocked" | "disabled" | "inactive" | "expired" | "active";

export function stateOf(link: Link, isBlocked: boolean, now = Date.now()): State {
  if (isBlocked) return "blocked";
  if (link.disabled_at !== null) return "disabled";
  if (link.is_active === 0) return "inactive";
  return isPast(link.expires_at, now) ? "expired" : "active";
}

const isPast = (time: string | null, now: number) => time !== null && Date.parse(time) <= now;
