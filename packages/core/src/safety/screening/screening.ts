import { issue } from "../../kernel/issues.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Meter } from "../../kernel/meter.ts";
import type { FilteringResolver } from "./filtering-resolver.ts";
import { hostOfDestination } from "./host-name.ts";

/** Host lists from files. Hosts are spelled as `URL.hostname` does. */
export interface HostLists {
  /** Reads the lists, then again whenever a file changes. Resolves once each was read or found unreadable. */
  start(): Promise<void>;
  /** Returns whether a list has the host or a domain above it. Reads memory only. */
  isBlocked(host: string): boolean;
  /** Calls `listener` after each change of a list, whose hosts are blocked by then. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Decides which hosts new destinations may have: by host lists, and by a filtering resolver if there is one. A host is
 * accepted if the resolver does not answer.
 */
export interface Screening {
  /** Returns all of the hosts that are blocked. */
  allBlocked(hosts: readonly string[]): Promise<Set<string>>;
}

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
    async allBlocked(hosts) {
      const found = new Set<string>();
      for await (const host of blockedAmong(hosts)) found.add(host);
      blocked.value += found.size;
      allowed.value += new Set(hosts).size - found.size;
      return found;
    },
  };
}

export const blockedReason = (host: string) => `leads to ${host}, which is blocked as harmful`;

/** Throws 400 for the URLs that lead to blocked hosts, each given with the name of its input field. */
export async function assertNotBlocked(
  screening: Screening,
  urls: readonly (readonly [field: string, url: string])[],
): Promise<void> {
  const hosts = urls.map(([, url]) => hostOfDestination(url));
  const blocked = await screening.allBlocked(hosts);
  if (blocked.size === 0) return;
  const issues = hosts.flatMap((host, at) =>
    blocked.has(host) ? [issue(urls[at]?.[0] ?? "url", "blocked", blockedReason(host), { host })] : [],
  );
  throw new AppError("BAD_REQUEST", issues);
}
