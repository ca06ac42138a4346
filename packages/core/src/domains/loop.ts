import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { hostnameOf } from "../short-host.ts";

export const loopReason = "must not point back at a short-link host (that would be a loop)";

/**
 * Those of the URLs that lead back to a short-link host: the service's own, or any account's verified domain. One read
 * for any number of URLs.
 */
export async function findLoops(deps: Deps, urls: readonly string[]): Promise<Set<string>> {
  const parsed = urls.map((text) => ({ text, url: new URL(text) }));
  const { rows } = await deps.pool.query<{ domain: string }>({
    name: "verified-domains",
    text: "select domain from domains where domain = any($1) and status = 'verified'",
    values: [[...new Set(parsed.map(({ url }) => hostnameOf(url)))]],
  });
  const verified = new Set(rows.map(({ domain }) => domain));
  const loops = parsed.filter(({ url }) => isOwnHost(deps, url) || verified.has(hostnameOf(url)));
  return new Set(loops.map(({ text }) => text));
}

type Destinations = readonly (readonly [field: string, url: string])[];

/** Refuses (400) loops. `urls` pairs the name of an input field with the URL that it holds. */
export async function refuseLoops(deps: Deps, urls: Destinations): Promise<void> {
  if (urls.length === 0) return;
  const loops = await findLoops(
    deps,
    urls.map(([, url]) => url),
  );
  refuseFirst(urls, (url) => loops.has(url));
}

/** The part of refuseLoops that asks nobody: the service's own host. */
export function refuseOwnHost(deps: Deps, urls: Destinations): void {
  refuseFirst(urls, (url) => isOwnHost(deps, new URL(url)));
}

function refuseFirst(urls: Destinations, isLoop: (url: string) => boolean): void {
  const first = urls.find(([, url]) => isLoop(url));
  if (first) throw new AppError("BAD_REQUEST", `${first[0]}: ${loopReason}`);
}

/** A short host on a port of its own (a local run) leaves the other ports of that machine free to link to. */
export function isOwnHost({ shortHost }: Deps, url: URL): boolean {
  return hostnameOf(url) === shortHost.hostname && (shortHost.port === "" || url.port === shortHost.port);
}
