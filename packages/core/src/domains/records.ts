import { isIP } from "node:net";
import type { Base } from "../db/base.ts";
import { isPublic, parseAddress } from "../kernel/addresses.ts";
import { SingleFlight } from "../kernel/async/single-flight.ts";
import type { Dns, Found } from "../kernel/dns.ts";
import type { DnsCheck, DnsRecord } from "./domain.schema.ts";
import { challengeName, isApex } from "./domain-name.ts";

/** Checks the DNS records of a domain. */

type DnsDeps = Pick<Base, "dns" | "shortHost">;

interface Named {
  domain: string;
  challenge: string;
}

/** The TXT record first, then the CNAME or the addresses */
type Records = [DnsRecord, DnsRecord, ...DnsRecord[]];

/** "wrong" only if a resolver said so; "unknown" if an answer is missing and none is wrong. */
export type Verdict = "good" | "wrong" | "unknown";

/** The records that prove ownership and point to this service. An apex cannot have a CNAME, so it gets addresses. */
export async function recordsOf(deps: DnsDeps, { domain, challenge }: Named): Promise<Records> {
  const { hostname } = deps.shortHost;
  const byAddress = isApex(domain) || hostname.startsWith("[") || isIP(hostname) !== 0;
  const [first, ...more] = ((byAddress && (await deps.dns.shortHostAddresses())) || []).map(
    (value) => ({ type: isIP(value) === 6 ? "AAAA" : "A", name: domain, value }) as const,
  );
  return [
    { type: "TXT", name: challengeName(domain), value: challenge },
    // If the addresses are unknown now: providers that flatten the CNAME of an apex accept it.
    first ?? { type: "CNAME", name: domain, value: hostname },
    ...more,
  ];
}

interface Outcome {
  verdict: Verdict;
  checks: DnsCheck[];
}

const lookUps = new WeakMap<Dns, SingleFlight<Outcome>>();

/** Looks up a domain's records, in at most 3.5 seconds. Concurrent checks of the same domain share one look-up. */
export function checkRecords(deps: DnsDeps, named: Named, signal?: AbortSignal): Promise<Outcome> {
  const running = lookUps.get(deps.dns) ?? new SingleFlight<Outcome>();
  lookUps.set(deps.dns, running);
  return running.run(`${named.domain} ${named.challenge}`, () => lookUp(deps, named, signal));
}

async function lookUp(deps: DnsDeps, named: Named, signal?: AbortSignal): Promise<Outcome> {
  const { domain, challenge } = named;
  const [[txt, pointing, ...more], ours, texts, aliases, addresses] = await deps.dns.ask(
    (lookups) =>
      Promise.all([
        recordsOf(deps, named),
        deps.dns.shortHostAddresses(),
        lookups.texts(challengeName(domain)),
        lookups.aliases(domain),
        lookups.addresses(domain),
      ]),
    signal,
  );
  const proven = texts === null ? null : texts.some((text) => text.trim() === challenge);
  const leadsHere = leadsTo(deps.shortHost.hostname, ours, aliases, addresses);
  const anyOf = [pointing, ...more].map(({ value }) => value).join(", ");
  const visible = (addresses ?? []).map((address) =>
    ours?.includes(address) ? address : publicOnly(address),
  );
  const answers = new Set([proven, leadsHere]);
  const seen = leadsHere || (aliases && addresses) ? [...(aliases ?? []), ...visible] : null;
  return {
    verdict: answers.has(false) ? "wrong" : answers.has(null) ? "unknown" : "good",
    checks: [
      { type: txt.type, name: txt.name, expected: challenge, found: shown(texts), ok: proven === true },
      { type: pointing.type, name: domain, expected: anyOf, found: shown(seen), ok: leadsHere === true },
    ],
  };
}

/**
 * Whether a name points to the short-link host: by a CNAME in its chain, or because all its addresses are the host's, as
 * when a provider flattens an apex. Null if an answer that decides this is missing.
 */
function leadsTo(hostname: string, ours: Found, aliases: Found, addresses: Found): boolean | null {
  if (aliases?.includes(hostname)) return true;
  if (addresses === null) return null;
  if (addresses.length > 0) {
    if (ours === null) return null;
    if (addresses.every((address) => ours.includes(address))) return true;
  }
  return aliases === null ? null : false;
}

/** A resolver may know an internal network: an account that adds a name there must not learn its addresses. */
function publicOnly(address: string): string {
  const parsed = parseAddress(address);
  return parsed !== null && isPublic(parsed) ? address : "an address that is not public";
}

/** Values from DNS servers, each once, truncated for display. */
const shown = (found: Found): Found =>
  found && [...new Set(found)].slice(0, 20).map((text) => text.slice(0, 255).toWellFormed());

/**
 * The name servers of a domain or, if it has none of its own, of its zone: at most ten, sorted. Null if no resolver answered.
 */
export async function nameServersOf(dns: Dns, domain: string, zone: string): Promise<Found> {
  const [own, ofZone] = await dns.ask(({ nameServers }) =>
    Promise.all([nameServers(domain), domain === zone ? null : nameServers(zone)]),
  );
  const found = own?.length ? own : (ofZone ?? own);
  return found && [...new Set(found)].toSorted().slice(0, 10);
}
