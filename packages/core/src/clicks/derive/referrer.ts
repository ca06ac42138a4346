import { publicSuffixes } from "../../kernel/host-names.ts";
import { createMemo } from "../../kernel/memo.ts";
import { sources } from "./sources.ts";

/** How a visitor came, by the referrer: "direct" without one. */
export const channels = ["search", "social", "mail", "assistant", "direct", "other"] as const;
export type Channel = (typeof channels)[number];

const parseDomain = (host: string) => publicSuffixes().parse(host, { validateHostname: false });

const schemePattern = /^\s*(?:https?|android-app):\/\//i;
const hostPattern = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;
const maxHost = 253;
const maxRead = 1024;

/**
 * Returns the host of a `Referer` header, without path and query: lower case, Punycode, no port, no trailing dot; the
 * package of an Android app such as `android-app://com.slack/`. Hosts of one source, such as m.facebook.com and google.de,
 * are one. Null if there is none, for other schemes and invalid text.
 */
export const referrerHost = (referrer: string): string | null =>
  referrer === "" ? null : referrerNames.get(referrer);

function readName(referrer: string): string | null {
  const host = hostOfReferrer(referrer);
  return host === null ? null : sourcesOfHosts.get(host).name;
}

/** Cached names: 4 MB if each referrer has the maximum length. */
const referrerNames = createMemo(readName, 4096, maxRead);

/** The host as `referrerHost` reads it before it puts hosts of one source together; does not load the public suffix list. */
export function hostOfReferrer(referrer: string): string | null {
  if (!schemePattern.test(referrer)) return null;
  const name = URL.parse(referrer.slice(0, maxRead))?.hostname.toLowerCase();
  if (!name) return null;
  const host = name.endsWith(".") ? name.slice(0, -1) : name;
  return isReferrerHost(host) ? host : null;
}

/** True for text that `referrerHost` can return, which is in lower case. */
export const isReferrerHost = (text: string): boolean => text.length <= maxHost && hostPattern.test(text);

/** Returns the channel of what `referrerHost` returned; "" and null are direct. */
export function channelOf(referrer: string | null): Channel {
  return referrer ? sourcesOfHosts.get(referrer).channel : "direct";
}

/** Where visitors come from. */
interface Source {
  name: string;
  channel: Channel;
}

/** By host, by `google.*` and by `*.ask.com`. */
const sourcesByPattern = new Map<string, Source>();
for (const [channel, [lists, single]] of Object.entries(sources) as [Channel, readonly [string, string]][]) {
  for (const line of [...lists.trim().split(/\n(?! {10})/), ...single.trim().split(/\s+/)]) {
    const [name = "", others = ""] = line.trim().split(" = ");
    for (const host of [name, ...others.split(/\s+/)]) sourcesByPattern.set(host, { name, channel });
  }
}

/** The hosts and patterns of `sourcesByPattern` that are put together, by their name. */
const hostsByName = Map.groupBy(
  sourcesByPattern.keys(),
  (host) => (sourcesByPattern.get(host) as Source).name,
);

/** True for one of the hosts, and for what is below it. */
export function isUnderHost(host: string, hosts: ReadonlySet<string>): boolean {
  for (let name = host; ; ) {
    if (hosts.has(name)) return true;
    const dot = name.indexOf(".");
    if (dot === -1) return false;
    name = name.slice(dot + 1);
  }
}

/**
 * Whether a visitor came from one of the hosts, or from a host below one, of whom `referrerHost` returned this name; "" for null. Null if
 * the name does not tell, because it is that of several hosts.
 */
export function isReferredFrom(name: string, hosts: ReadonlySet<string>): boolean | null {
  if (name === "") return false;
  if (name === otherReferrers) return null;
  const together = hostsByName.get(name) ?? [name];
  if (together.every((host) => isUnderHost(host, hosts))) return true;
  const isInEachCountry = together.some((host) => host.endsWith(".*"));
  const isOneOf = (host: string) =>
    sourcesOfHosts.get(host).name === name || (isInEachCountry && parseDomain(host).domain === null);
  return together.some((host) => isUnderHost(host, hosts)) || [...hosts].some(isOneOf) ? null : false;
}

/** Prefixes under which sites serve phones, or leave for other sites. */
const sitePrefix = /^(?:www\d?|m|mobile|l|lm|out)\./;
/** Before the domain of a social network: a language or country, or another way to open it. */
const networkPrefix = /^(?:[a-z]{2}(?:-[a-z]{2})?|touch|web|old|new|np|business|mbasic|free|away)\./;
const mailHost = /^(?:(?:web|e)?mails?\d*|webmail[\da-z-]*|outlook|mailbox|messaging)\.|\.(?:web)?mail\./;
const searchHost =
  /(?:^|\.)(?:i?search\d*|suche|buscar?|buscador|ricerca|recherche|szukaj|zoek(?:en)?|hledej)\./;
const mailApps = new Set([
  "com.google.android.gm",
  "com.microsoft.office.outlook",
  "com.yahoo.mobile.client.android.mail",
]);

/** Cached sources: 2 MB if each host has the maximum length. */
const sourcesOfHosts = createMemo(sourceOf, 4096);

function sourceOf(given: string): Source {
  const host = withoutPrefix(given);
  const { domain, domainWithoutSuffix: name, publicSuffix: suffix } = parseDomain(host);
  const found =
    sourcesByPattern.get(host) ??
    sourcesByPattern.get(given) ??
    inEveryCountry(host, name, suffix) ??
    sourceAbove(host, domain);
  if (found) return found;
  return { name: host, channel: channelByName(host) };
}

/** Removes the prefix, unless what remains is no site: m.me, www.gov.uk. */
function withoutPrefix(host: string): string {
  const rest = host.replace(sitePrefix, "");
  return rest !== host && parseDomain(rest).domain !== null ? rest : host;
}

/** A country's suffix, under which a company has the same name: de, co.uk, com.br. Others may belong to someone else. */
const countrySuffix = /^(?:(?:com?|ne|or)\.)?[a-z]{2}$|^com$|^cat$/;

function inEveryCountry(host: string, name: string | null, suffix: string | null): Source | undefined {
  if (!name || !suffix || !countrySuffix.test(suffix)) return undefined;
  return sourcesByPattern.get(`${host.slice(0, -suffix.length)}*`);
}

/** The source that a host is below: listed with `*.`, or a social network, of which users' own sites keep their names. */
function sourceAbove(host: string, domain: string | null): Source | undefined {
  if (domain === null || domain === host) return undefined;
  const listed =
    sourcesByPattern.get(`*.${host.slice(host.indexOf(".") + 1)}`) ?? sourcesByPattern.get(`*.${domain}`);
  if (listed) return listed;
  const network = sourcesByPattern.get(domain);
  if (network?.channel !== "social") return undefined;
  return networkPrefix.test(host)
    ? network
    : { name: host, channel: mailHost.test(host) ? "mail" : "social" };
}

function channelByName(host: string): Channel {
  if (mailHost.test(host) || mailApps.has(host)) return "mail";
  return searchHost.test(host) ? "search" : "other";
}

/** The name for referrers that are not counted apart. Hosts have no parentheses, so no sender can claim it. */
export const otherReferrers = "(other)";
