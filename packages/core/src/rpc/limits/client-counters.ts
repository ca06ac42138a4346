import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { siteOf } from "../../kernel/addresses.ts";

/** A limiter, and the key under which it counts. */
export type Counter = readonly [limiter: RateLimiterAbstract, key: string];

/**
 * The counters for one client, its own first, then that of its site if it has one, see `siteOf`. `keyOf` makes a key of
 * an address or network.
 */
export function countersOf(
  client: string,
  { byClient, bySite }: { byClient: RateLimiterAbstract; bySite: RateLimiterAbstract },
  keyOf: (network: string) => string = (network) => network,
): Counter[] {
  const site = siteOf(client);
  return [[byClient, keyOf(client)], ...(site === null ? [] : [[bySite, keyOf(site)] as const])];
}
