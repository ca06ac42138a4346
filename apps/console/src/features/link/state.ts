import { isUsedUp, type Link } from "../../kit/api/link.ts";

/** The first reason that stops visitors, in the order of the service; `active` if none does. */
export type State = "blocked" | "disabled" | "inactive" | "scheduled" | "expired" | "used_up" | "active";

export function stateOf(link: Link, isBlocked: boolean, now = Date.now()): State {
  if (isBlocked) return "blocked";
  if (link.disabled_at !== null) return "disabled";
  if (link.is_active === 0) return "inactive";
  if (link.starts_at !== null && !isPast(link.starts_at, now)) return "scheduled";
  if (isPast(link.expires_at, now)) return "expired";
  return isUsedUp(link) ? "used_up" : "active";
}

const isPast = (time: string | null, now: number) => time !== null && Date.parse(time) <= now;
