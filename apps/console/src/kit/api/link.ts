import type { Answers } from "./answers.ts";
import { formatDay } from "../format/format.ts";
import type { Strings } from "../../words/en.ts";

export type Link = Answers["links"]["get"];

/** A short URL without its scheme. */
export const shortName = ({ domain, slug }: Pick<Link, "domain" | "slug">): string => `${domain}/${slug}`;

/** Whether the clicks of its limit are used up. */
export const isUsedUp = ({ click_limit, click_count }: Pick<Link, "click_limit" | "click_count">): boolean =>
  click_limit !== null && click_count >= click_limit;

/** What is special about a link, in words: its state first. */
export function marksOf(link: Link, { links: { marks } }: Strings): { text: string; isOff: boolean }[] {
  const expired = link.expires_at !== null && new Date(link.expires_at) <= new Date();
  const scheduled = link.starts_at !== null && new Date(link.starts_at) > new Date();
  const left = link.click_limit === null ? 0 : link.click_limit - link.click_count;
  const found: [boolean, string, boolean?][] = [
    [link.disabled_at !== null, marks.disabled, true],
    [link.is_active === 0, marks.inactive, true],
    [scheduled, link.starts_at ? marks.starts(formatDay(link.starts_at)) : "", true],
    [expired, marks.expired, true],
    [link.health?.status === "broken", marks.broken, true],
    [link.health?.status === "unreachable", marks.unreachable, true],
    [isUsedUp(link), marks.used_up, true],
    [left > 0, marks.clicksLeft(left)],
    [link.expires_at !== null && !expired, link.expires_at ? marks.expires(formatDay(link.expires_at)) : ""],
    [link.has_password, marks.password],
    [link.rules.length > 0, marks.rules(link.rules.length)],
    [link.geo_rules.length > 0, marks.countries(link.geo_rules.length)],
    [link.ab_test !== null, marks.ab_test],
  ];
  return found.filter(([is]) => is).map(([, text, isOff = false]) => ({ text, isOff }));
}
