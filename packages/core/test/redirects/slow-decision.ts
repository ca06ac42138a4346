import { createHash } from "node:crypto";
import type { AbTest, Conditions, GeoRule, LinkPreview, LinkRule, RedirectStatus } from "../../src/index.ts";

/**
 * Where a link leads, written a second time: slowly, plainly, and without the functions that decide in the product. A visit
 * comes as the generator knows it, before it was written into headers.
 */

export interface SlowLink {
  id: string;
  destination: string;
  is_active: boolean;
  expires_at: Date | null;
  hasPassword: boolean;
  rules: LinkRule[];
  geo_rules: GeoRule[];
  ab_test: AbTest | null;
}

/** What a link may have besides, none of which its past clicks depend on. */
export interface SlowOptions {
  starts_at: Date | null;
  click_limit: number | null;
  fallback_url: string | null;
  redirect_status: RedirectStatus | null;
  preview: LinkPreview | null;
}

/** What is so at the moment of a visit. */
export interface SlowMoment {
  isUsedUp: boolean;
  isLinkPreview: boolean;
}

export interface SlowVisit {
  time: Date;
  isUnlocked: boolean;
  id: string;
  country: string | null;
  continent: string | null;
  /** Accept-Language */
  languages: { tag: string; weight: number }[];
  device: string | null;
  os: string | null;
  browser: string | null;
  referrerHost: string | null;
  parameters: [name: string, value: string][];
  /** The bits of the address, after "4:" or "6:" */
  address: string | null;
}

/** The same with all options: a status and a URL, or why there is none. */
export function slowEnd(link: SlowLink & SlowOptions, visit: SlowVisit & SlowMoment): string {
  let closed = "";
  if (link.click_limit !== null && visit.isUsedUp) closed = "gone: used_up";
  if (link.expires_at !== null && visit.time >= link.expires_at) closed = "gone: expired";
  if (link.starts_at !== null && visit.time < link.starts_at) closed = "not_found";
  if (!link.is_active) closed = "gone: inactive";
  if (closed !== "") return link.fallback_url === null ? closed : `302 ${link.fallback_url}`;
  if (link.preview !== null && visit.isLinkPreview) return "link_preview";
  const end = slowDecision(link, visit);
  return end === "password" ? end : `${link.redirect_status ?? 302} ${end}`;
}

export function slowDecision(link: SlowLink, visit: SlowVisit): string {
  if (!link.is_active) return "gone: inactive";
  if (link.expires_at !== null && visit.time >= link.expires_at) return "gone: expired";
  if (link.hasPassword && !visit.isUnlocked) return "password";
  const language = bestLanguage(link.rules, visit);
  for (const rule of link.rules) if (allHold(rule.when, visit, language)) return rule.url;
  for (const rule of link.geo_rules) if (rule.country === visit.country) return rule.url;
  if (link.ab_test !== null) return variantUrl(link, link.ab_test.variants, visit.id);
  return link.destination;
}

function allHold(when: Conditions, visit: SlowVisit, language: string | null): boolean {
  const has = (list: readonly string[], value: string | null) => value !== null && list.includes(value);
  if (when.country && !has(when.country, visit.country)) return false;
  if (when.continent && !has(when.continent, visit.continent)) return false;
  if (when.language && !has(when.language.map(lower), language)) return false;
  if (when.device && !has(when.device, visit.device)) return false;
  if (when.os && !has(when.os, visit.os)) return false;
  if (when.browser && !has(when.browser, visit.browser)) return false;
  const from = visit.referrerHost;
  if (when.referrer && !when.referrer.some((host) => from === host || from?.endsWith(`.${host}`)))
    return false;
  for (const { name, value } of when.query ?? []) {
    const values = visit.parameters.filter(([each]) => each === name).map(([, each]) => each);
    if (value === null && values.length > 0) return false;
    if (value === undefined && values.length === 0) return false;
    if (typeof value === "string" && !values.includes(value)) return false;
  }
  if (when.ip && !when.ip.some((block) => visit.address?.startsWith(bitsOfBlock(block)))) return false;
  if (when.after && visit.time < new Date(when.after)) return false;
  if (when.before && visit.time >= new Date(when.before)) return false;
  if (when.weekly && !isWithin(when.weekly, visit.time)) return false;
  return true;
}

const lower = (text: string) => text.toLowerCase();

/** RFC 4647 section 3.4: ranges by weight, each shortened from its end until a tag equals it. */
function bestLanguage(rules: readonly LinkRule[], { languages }: SlowVisit): string | null {
  const tags = new Set(rules.flatMap(({ when }) => when.language ?? []).map(lower));
  for (let thousandths = 1000; thousandths > 0; thousandths--) {
    for (const { tag, weight } of languages) {
      if (Math.round(weight * 1000) !== thousandths) continue;
      const subtags = lower(tag).split("-");
      for (let length = subtags.length; length > 0; length--) {
        if (length < subtags.length && subtags[length - 1]?.length === 1) continue;
        const shortened = subtags.slice(0, length).join("-");
        if (tags.has(shortened)) return shortened;
      }
    }
  }
  return null;
}

/** The first bits of every address in a block, after "4:" or "6:". */
function bitsOfBlock(block: string): string {
  const [address = "", length] = block.split("/");
  const bits = address.includes(":") ? bitsOf6(address) : bitsOf4(address);
  return bits.slice(0, 2 + Number(length ?? bits.length));
}

export const bitsOf4 = (address: string): string =>
  `4:${address
    .split(".")
    .map((octet) => Number(octet).toString(2).padStart(8, "0"))
    .join("")}`;

/** Of an address without `::` and without IPv4 in it. */
export const bitsOf6 = (address: string): string =>
  `6:${address
    .split(":")
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("")}`;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a calendar and a clock in a zone show, as if it were UTC. */
function localTime(zone: string, time: Date): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  formats.set(zone, format);
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0] = (
    format.format(time).match(/\d+/g) as string[]
  ).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Looks at the hours that begin today and at those that began yesterday, as times on the calendar. */
function isWithin({ tz, days, from, to }: NonNullable<Conditions["weekly"]>, time: Date): boolean {
  const local = localTime(tz, time);
  const midnight = Math.floor(local / dayMs) * dayMs;
  const ofDay = (clock: string) => {
    const [hours = 0, minutes = 0] = clock.split(":").map(Number);
    return hours * hourMs + minutes * 60_000;
  };
  for (const day of [midnight, midnight - dayMs]) {
    const name = new Date(day).toUTCString().slice(0, 3).toLowerCase();
    if (!(days as readonly string[]).includes(name)) continue;
    const start = day + ofDay(from);
    const sameDay = day + ofDay(to);
    const end = sameDay > start ? sameDay : sameDay + dayMs;
    if (local >= start && local < end) return true;
  }
  return false;
}

/** The hash of link and visitor, as a part of 2^32, falls into the part of a variant. */
function variantUrl(link: SlowLink, variants: AbTest["variants"], visitor: string): string {
  const hash = createHash("sha256").update(`${link.id}\n${visitor}`).digest("hex").slice(0, 8);
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const position = BigInt(`0x${hash}`) * BigInt(total);
  let end = 0n;
  for (const { url, weight } of variants) {
    end += BigInt(weight) << 32n;
    if (position < end) return url;
  }
  throw new Error("No variant");
}
