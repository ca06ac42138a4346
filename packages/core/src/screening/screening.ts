import type { FilteringResolver } from "./filtering-resolver.ts";
import type { HostLists, Screening } from "./screening.types.ts";

/** Hosts that the resolver is asked about at once, for one caller */
const batchSize = 50;

/** Adds a filtering resolver to host lists; null for none. */
export function createScreening(lists: HostLists, resolver: FilteringResolver | null): Screening {
  /** The lists come first: they take no time. */
  async function* blockedAmong(hosts: readonly string[]): AsyncGenerator<[host: string, list: string]> {
    const unlisted: string[] = [];
    for (const host of new Set(hosts)) {
      const list = lists.listOf(host);
      if (list === null) unlisted.push(host);
      else yield [host, list];
    }
    if (resolver === null) return;
    for (let at = 0; at < unlisted.length; at += batchSize) {
      const batch = unlisted.slice(at, at + batchSize);
      const verdicts = await Promise.all(batch.map((host) => resolver.isBlocked(host)));
      for (const [index, host] of batch.entries()) if (verdicts[index]) yield [host, resolver.name];
    }
  }

  return {
    ...lists,
    async check(hosts) {
      for await (const [host, list] of blockedAmong(hosts)) return { host, list };
      return null;
    },
    async findBlocked(hosts) {
      const blocked = new Map<string, string>();
      for await (const [host, list] of blockedAmong(hosts)) blocked.set(host, list);
      return blocked;
    },
  };
}
