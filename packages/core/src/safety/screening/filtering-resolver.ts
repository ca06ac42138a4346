import { isIP } from "node:net";
import { isPublic, parseAddress } from "../../kernel/addresses.ts";
import { SingleFlight } from "../../kernel/async/single-flight.ts";
import { createDns, type Dns, type Found } from "../../kernel/dns.ts";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import type { ShortHost } from "../../kernel/host-names.ts";

/** A resolver that returns no address for malicious hosts. */
export interface FilteringResolver {
  /** Returns whether it blocks the host; false if it does not answer in time, and for hosts outside public DNS. */
  isBlocked(host: string): Promise<boolean>;
}

export interface FilteringResolverOptions {
  /** Its address with an optional port */
  server: string;
  /** Addresses that it gives for blocked hosts; see `defaultSinkholes` */
  sinkholes?: readonly string[] | undefined;
  /** Resolvers that block nothing */
  unfiltered: Pick<Dns, "ask">;
  /** The service's own hosts; the resolver is not asked about them, nor about names below them. */
  ownHosts: readonly string[];
  shortHost: ShortHost;
  clock: () => Date;
  onEvent: (event: CoreEvent) => void;
  /** Time that a resolver has for an answer; default half a second */
  timeoutMs?: number;
}

/**
 * Cloudflare's 1.1.1.1 for Families, AdGuard and Pi-hole answer with the unspecified address, AdGuard for malware and
 * adult content with its block pages' addresses, OpenDNS and Cisco Umbrella with theirs. Quad9 and CleanBrowsing deny
 * that the name exists.
 */
const defaultSinkholes: readonly string[] = [
  "0.0.0.0",
  "::",
  "94.140.14.33",
  "94.140.14.35",
  "146.112.61.104",
  "146.112.61.105",
  "146.112.61.106",
  "146.112.61.107",
  "146.112.61.108",
  "146.112.61.110",
];

const rememberMs = 10 * 60_000;
const maxRemembered = 10_000;

export function createFilteringResolver(options: FilteringResolverOptions): FilteringResolver {
  const { server, unfiltered, ownHosts, shortHost, clock, onEvent, timeoutMs = 500 } = options;
  const sinkholes = new Set((options.sinkholes ?? defaultSinkholes).map(spelledOnce));
  const watch = (dns: Pick<Dns, "ask">, role: "filtering" | "unfiltered") =>
    watchedLookups(dns, { clock, timeoutMs }, (isUp) =>
      onEvent(coreEvent(`${role}_resolver_${isUp ? "restored" : "failing"}`)),
    );
  const filtering = watch(createDns([server], shortHost, clock), "filtering");
  const comparison = watch(unfiltered, "unfiltered");
  const remembered = new Map<string, { verdict: boolean; until: number }>();
  const questions = new SingleFlight<boolean | null>();

  /**
   * A sinkhole is a verdict. No public address at all is one if an unfiltered resolver has one: the name may also not
   * exist, be on a private network, or be the visitor's own machine. Null if one of them did not answer.
   */
  async function ask(host: string): Promise<boolean | null> {
    const addresses = await filtering(host);
    if (addresses === null) return null;
    if (addresses.some((address) => sinkholes.has(spelledOnce(address)))) return true;
    if (addresses.some(isPublicAddress)) return false;
    const unfilteredAddresses = await comparison(host);
    return unfilteredAddresses && unfilteredAddresses.some(isPublicAddress);
  }

  function remember(host: string, verdict: boolean | null): void {
    if (verdict === null) return;
    const [oldest] = remembered.keys();
    if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
    remembered.set(host, { verdict, until: clock().getTime() + rememberMs });
  }

  return {
    async isBlocked(spelled) {
      const host = spelled.replace(/\.$/, "");
      if (!isInPublicDns(host) || ownHosts.some((own) => host === own || host.endsWith(`.${own}`)))
        return false;
      const known = remembered.get(host);
      if (known !== undefined && clock().getTime() < known.until) return known.verdict;
      remembered.delete(host);
      const verdict = await questions.run(
        host,
        () => ask(host),
        (answer) => remember(host, answer),
      );
      return verdict ?? false;
    },
  };
}

/** While a resolver does not answer, it is tried again this often at most. */
const retryMs = 5000;
/** Every resolver knows this name, so it tells a resolver that does not answer from a name whose servers do not. */
const controlName = "example.com";

/**
 * Returns a look-up of a host's addresses that takes `timeoutMs` at most: null where there is no answer by then. A
 * resolver that does not answer for the control name either is not asked until it does; both call `onChange`.
 */
function watchedLookups(
  dns: Pick<Dns, "ask">,
  { clock, timeoutMs }: { clock: () => Date; timeoutMs: number },
  onChange: (isUp: boolean) => void,
) {
  let isUp = true;
  let isProbing = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  const lookUp = (host: string): Promise<Found> =>
    dns.ask(({ addresses }) => addresses(host), AbortSignal.timeout(timeoutMs));

  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const wasUp = isUp;
    isUp = (await lookUp(controlName)) !== null;
    probedAt = clock().getTime();
    isProbing = false;
    if (isUp !== wasUp) onChange(isUp);
  }

  return async (host: string): Promise<Found> => {
    if (!isUp) {
      if (clock().getTime() - probedAt >= retryMs) void probe();
      return null;
    }
    const answer = await lookUp(host);
    if (answer === null) void probe();
    return answer;
  };
}

/** Top-level names outside public DNS: RFC 6761, 6762, 7686, 9476, ICANN's `internal` and its collision-prone names. */
const privateTops = new Set(
  "alt corp home internal invalid intranet lan local localhost mail onion private test".split(" "),
);

function isInPublicDns(host: string): boolean {
  const top = host.slice(host.lastIndexOf(".") + 1);
  const isName = host.includes(".") && isIP(host) === 0 && !host.startsWith("[");
  return isName && !privateTops.has(top) && host !== "home.arpa" && !host.endsWith(".home.arpa");
}

function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isPublic(address);
}

/** One spelling of an address: an IPv4-mapped IPv6 address is an IPv4 address. */
function spelledOnce(text: string): string {
  const address = parseAddress(text);
  return typeof address === "number" ? String(address) : (address?.join(":") ?? text);
}
