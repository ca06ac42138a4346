import type { Dns, Found } from "../kernel/dns.ts";

const maxShown = 10;

/**
 * The name servers of a domain or, if it has none of its own, of its zone: at most ten, sorted. Null if no resolver answered.
 */
export async function nameServersOf(dns: Dns, domain: string, zone: string): Promise<Found> {
  const [own, ofZone] = await dns.ask(({ nameServers }) =>
    Promise.all([nameServers(domain), domain === zone ? null : nameServers(zone)]),
  );
  const found = own?.length ? own : (ofZone ?? own);
  return found && [...new Set(found)].toSorted().slice(0, maxShown);
}
