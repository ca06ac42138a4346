import { raw } from "@mikro-orm/core";
import type { Deps } from "../deps.ts";
import { AppError } from "../kernel/errors.ts";
import { hostnameOf } from "../kernel/short-host.ts";

export const loopReason = "must not point back at a short-link host (that would be a loop)";

/** URLs that visitors are sent to, each with the name of the input field that it stands in. */
export type Destinations = readonly (readonly [field: string, url: string])[];

/**
 * The SQL expression for whether a row of `domains` makes a loop of what leads there: anybody's verified domain, and
 * the account's own whatever its status, a deleted one while it has links: it may be verified again at any moment.
 */
const isLoop = (account: string) => `(status = 'verified' or account_id = ${account}
  and (deleted_at is null or exists (select from links where domain_id = domains.id)))`;

/** The SQL condition that none of `hosts` is a short-link host; both are placeholders, a text[] and an account's id. */
export const noLoop = (hosts: string, account: string) =>
  `not exists (select from domains where domain = any(${hosts}) and ${isLoop(account)})`;

/** The same as a part of an ORM's `where`. */
export const whereNoLoop = (accountId: string, urls: Destinations) => ({
  [raw(noLoop("array[?]::text[]", "?"), [hostsOf(urls), accountId])]: [],
});

/** Those that are not stored yet: what is may stay, also where its host has become a short-link host since. */
export function addedTo(stored: Destinations, urls: Destinations): Destinations {
  const present = new Set(stored.map(([, url]) => url));
  return urls.filter(([, url]) => !present.has(url));
}

/** The host names that visitors are sent to. */
export const hostsOf = (urls: Destinations): string[] => urls.map(([, url]) => hostnameOf(new URL(url)));

/**
 * Those of the URLs that lead an account's visitors back to a short-link host: the service's own, or a custom domain.
 * One read for any number of URLs. Whoever has no account has no domains.
 */
export async function findLoops(
  deps: Deps,
  accountId: string | null,
  urls: readonly string[],
): Promise<Set<string>> {
  const parsed = urls.map((text) => ({ text, url: new URL(text) }));
  const { rows } = await deps.pool.query<{ domain: string }>({
    name: "loops",
    text: `select domain from domains where domain = any($1) and ${isLoop("$2")}`,
    values: [[...new Set(parsed.map(({ url }) => hostnameOf(url)))], accountId],
  });
  const hosts = new Set(rows.map(({ domain }) => domain));
  const loops = parsed.filter(({ url }) => isOwnHost(deps, url) || hosts.has(hostnameOf(url)));
  return new Set(loops.map(({ text }) => text));
}

/** Refuses (400) loops. */
export async function refuseLoops(deps: Deps, accountId: string | null, urls: Destinations): Promise<void> {
  const loops = await findLoops(
    deps,
    accountId,
    urls.map(([, url]) => url),
  );
  refuseFirst(urls, (url) => loops.has(url));
}

/** The part of refuseLoops that asks nobody: the service's own host. */
export function refuseOwnHost(deps: Deps, urls: Destinations): void {
  refuseFirst(urls, (url) => isOwnHost(deps, new URL(url)));
}

function refuseFirst(urls: Destinations, isRefused: (url: string) => boolean): void {
  const first = urls.find(([, url]) => isRefused(url));
  if (first) throw new AppError("BAD_REQUEST", `${first[0]}: ${loopReason}`);
}

/** A short host on a port of its own (a local run) leaves the other ports of that machine free to link to. */
export function isOwnHost({ shortHost }: Deps, url: URL): boolean {
  return hostnameOf(url) === shortHost.hostname && (shortHost.port === "" || url.port === shortHost.port);
}
