import { isUsedUp, type Link } from "../links/link.ts";

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

export type Happening = "created" | "changed" | "disabled" | "began" | "expired" | "clicked";

/** What is known to have happened to a link, newest first. */
export function historyOf(link: Link, now = Date.now()): { what: Happening; at: string }[] {
  const all: [Happening, string | null][] = [
    ["created", link.created_at],
    ["changed", link.updated_at === link.created_at ? null : link.updated_at],
    ["disabled", link.disabled_at],
    ["clicked", link.last_click_at],
    ["began", isPast(link.starts_at, now) ? link.starts_at : null],
    ["expired", isPast(link.expires_at, now) ? link.expires_at : null],
  ];
  return all
    .flatMap(([what, at]) => (at === null ? [] : { what, at }))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
