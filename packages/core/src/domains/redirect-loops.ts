import type { DomainDeps } from "./call.ts";
import { raw } from "@mikro-orm/core";
import { AppError } from "../kernel/errors.ts";
import { hostnameOf } from "../kernel/short-host.ts";
import { isOwnHost, loopsAmong, noLoop } from "../redirects/loops.ts";

export { isOwnHost, loopsAmong, noLoop };

export const loopReason = "must not point back at a short-link host (that would be a loop)";

/** Destination URLs, each with the name of its input field. */
export type Destinations = readonly (readonly [field: string, url: string])[];

/** The same as part of an ORM `where`. */
export const whereNoLoop = (accountId: string, urls: Destinations) => ({
  [raw(noLoop("array[?]::text[]", "?"), [hostsOf(urls), accountId])]: [],
});

/** The destinations that are not stored yet: stored ones may stay, even if their host has become a short-link host. */
export function addedTo(stored: Destinations, urls: Destinations): Destinations {
  const present = new Set(stored.map(([, url]) => url));
  return urls.filter(([, url]) => !present.has(url));
}

/** The host names of the URLs. */
export const hostsOf = (urls: Destinations): string[] => urls.map(([, url]) => hostnameOf(new URL(url)));

/**
 * The URLs that point back to a short-link host: the service's own, or a custom domain. One read for any number of URLs.
 * Callers without an account have no domains.
 */
export async function findLoops(
  deps: DomainDeps,
  accountId: string | null,
  urls: readonly string[],
): Promise<Set<string>> {
  const parsed = urls.map((text) => ({ text, url: new URL(text) }));
  const { rows } = await deps.pool.query<{ domain: string }>({
    name: "loops",
    text: loopsAmong("$1", "$2"),
    values: [[...new Set(parsed.map(({ url }) => hostnameOf(url)))], accountId],
  });
  const hosts = new Set(rows.map(({ domain }) => domain));
  const loops = parsed.filter(({ url }) => isOwnHost(deps, url) || hosts.has(hostnameOf(url)));
  return new Set(loops.map(({ text }) => text));
}

/** Refuses (400) loops. */
export async function refuseLoops(
  deps: DomainDeps,
  accountId: string | null,
  urls: Destinations,
): Promise<void> {
  const loops = await findLoops(
    deps,
    accountId,
    urls.map(([, url]) => url),
  );
  refuseKnownLoops(loops, urls);
}

/** The part of refuseLoops that needs no database: the service's own host. */
export function refuseOwnHost(deps: DomainDeps, urls: Destinations): void {
  refuseFirst(urls, (url) => isOwnHost(deps, new URL(url)));
}

/** Refuses (400) URLs that are among `loops`, which findLoops returned. */
export const refuseKnownLoops = (loops: ReadonlySet<string>, urls: Destinations): void =>
  refuseFirst(urls, (url) => loops.has(url));

function refuseFirst(urls: Destinations, isRefused: (url: string) => boolean): void {
  const first = urls.find(([, url]) => isRefused(url));
  if (first) throw new AppError("BAD_REQUEST", `${first[0]}: ${loopReason}`);
}
