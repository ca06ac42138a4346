import { issue } from "../kernel/issues.ts";
import { raw } from "@mikro-orm/core";
import type { Base } from "../db/base.ts";
import { AppError } from "../kernel/errors.ts";
import { hostnameOf } from "../kernel/host-names.ts";
import { isOwnHost, loopsAmong, noLoop } from "../redirects/destination.ts";

const loopReason = "must not point back at a short-link host (that would be a loop)";

type LoopDeps = Pick<Base, "pool" | "shortHost">;

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
  deps: LoopDeps,
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

/** Throws 400 for URLs that are loops. */
export async function assertNoLoops(
  deps: LoopDeps,
  accountId: string | null,
  urls: Destinations,
): Promise<void> {
  const texts = urls.map(([, url]) => url);
  assertNoKnownLoops(await findLoops(deps, accountId, texts), urls);
}

/** The part of assertNoLoops that needs no database: the service's own host. */
export const assertNotOwnHost = (deps: Pick<LoopDeps, "shortHost">, urls: Destinations): void =>
  assertNone(urls, (url) => isOwnHost(deps, new URL(url)));

/** Throws 400 for URLs among `loops`, which findLoops returned. */
export const assertNoKnownLoops = (loops: ReadonlySet<string>, urls: Destinations): void =>
  assertNone(urls, (url) => loops.has(url));

function assertNone(urls: Destinations, isLoop: (url: string) => boolean): void {
  const loops = urls.filter(([, url]) => isLoop(url));
  if (loops.length > 0)
    throw new AppError(
      "BAD_REQUEST",
      loops.map(([field]) => issue(field, "loop", loopReason)),
    );
}
