import type { Meter } from "../../kernel/meter.types.ts";
import type { FilteringResolver } from "./filtering-resolver.ts";
import type { HostLists, Screening } from "./screening.types.ts";

/** Hosts that the resolver is asked about at once, for one caller */
const batchSize = 50;

/** Combines host lists with a filtering resolver; null for none. */
export function createScreening(
  lists: Pick<HostLists, "isBlocked">,
  resolver: FilteringResolver | null,
  meter: Pick<Meter, "counter">,
): Screening {
  const screened = (verdict: string) => meter.counter("terse_destinations_screened_total", { verdict });
  const allowed = screened("allowed");
  const blocked = screened("blocked");

  /** The lists come first, because they need no I/O. */
  async function* blockedAmong(hosts: readonly string[]): AsyncGenerator<string> {
    const unlisted: string[] = [];
    for (const host of new Set(hosts)) {
      if (lists.isBlocked(host)) yield host;
      else unlisted.push(host);
    }
    if (resolver === null) return;
    for (let at = 0; at < unlisted.length; at += batchSize) {
      const batch = unlisted.slice(at, at + batchSize);
      const verdicts = await Promise.all(batch.map((host) => resolver.isBlocked(host)));
      yield* batch.filter((_, index) => verdicts[index]);
    }
  }

  return {
    async firstBlocked(hosts) {
      for await (const host of blockedAmong(hosts)) {
        blocked.value++;
        return host;
      }
      allowed.value += hosts.length;
      return null;
    },
    async allBlocked(hosts) {
      const found = new Set<string>();
      for await (const host of blockedAmong(hosts)) found.add(host);
      blocked.value += found.size;
      allowed.value += new Set(hosts).size - found.size;
      return found;
    },
  };
}
