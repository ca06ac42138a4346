import type { FilteringResolver } from "./filtering-resolver.ts";
import type { HostLists, Screening } from "./screening.types.ts";

/** Hosts that the resolver is asked about at once, for one caller */
const batchSize = 50;

/** Combines host lists with a filtering resolver; null for none. */
export function createScreening(
  lists: Pick<HostLists, "isBlocked">,
  resolver: FilteringResolver | null,
): Screening {
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
      for await (const host of blockedAmong(hosts)) return host;
      return null;
    },
    async allBlocked(hosts) {
      const blocked = new Set<string>();
      for await (const host of blockedAmong(hosts)) blocked.add(host);
      return blocked;
    },
  };
}
