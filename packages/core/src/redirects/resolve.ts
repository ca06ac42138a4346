import type { StorageQuota } from "../accounts/storage.ts";
import type { Permits } from "../clicks/permits.ts";
import type { Base } from "../db/base.ts";
import { holdConnections } from "../db/pool.ts";
import { coreEvent } from "../kernel/events.ts";
import { hashPassword, needsRehash, type PasswordCost, sharesOfVisit } from "../kernel/secrets.ts";
import { normalizeSlug } from "../kernel/slug.ts";
import { hostOfDestination } from "../safety/screening/host-name.ts";
import type { HostLists, Screening } from "../safety/screening/screening.ts";
import { decide, decideLimited, isPlain } from "./decide.ts";
import { FallbackLookup } from "./fallback/lookup.ts";
import type { InsertFound } from "./fallback/store.ts";
import { previewOf, unknownVisitor } from "./preview.ts";
import { openPurgeChannel, type PurgeChannel } from "./purge-channel.ts";
import type { Decision, DomainSettings, Redirects, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";
import { Routes } from "./routes.ts";
import { issueUnlockToken } from "./rules/password.ts";

/** The longest possible path in UTF-16 code units: 64 characters of about ten each (emoji), and an item's number. */
const maxSlugUnits = 1024;

/** The addresses of a domain whose hosts are not blocked; a list may have changed since the domain was read. */
function withoutBlocked(settings: DomainSettings, { isBlocked }: HostLists): DomainSettings {
  const allowed = (url: string | null) => (url !== null && isBlocked(hostOfDestination(url)) ? null : url);
  return {
    ...settings,
    root_url: allowed(settings.root_url),
    not_found_url: allowed(settings.not_found_url),
    expired_url: allowed(settings.expired_url),
  };
}

interface RedirectsDeps extends Base {
  readonly hostLists: HostLists;
  readonly screening: Screening;
  readonly storage: StorageQuota;
  readonly passwordCost: PasswordCost;
}

/** `insertFound` is passed in, since links are created in a room above this one. */
export function createRedirects(deps: RedirectsDeps, permits: Permits, insertFound: InsertFound): Redirects {
  let channel: PurgeChannel | null = null;
  const { pool, hostLists, clock, databaseUrl, onEvent, meter } = deps;
  const hits = meter.counter("terse_route_cache_hits_total");
  const isWatched = () => channel?.open ?? false;
  const routes = new Routes({ ...deps, isWatched });
  meter.read("terse_route_cache_routes", () => routes.cache.size);
  meter.read("terse_route_cache_bytes", () => routes.cache.bytes);
  meter.read("terse_purge_channel_open", () => channel && Number(channel.open));

  const fallbackLookup = new FallbackLookup({ ...deps, insertFound });
  hostLists.onChange(() => void routes.rescreen());

  async function find(host: string, rawSlug: string): Promise<Route | undefined> {
    const slug = normalizeSlug(rawSlug);
    const isPossible = slug.length <= maxSlugUnits && slug.isWellFormed() && !`${host}${slug}`.includes("\0");
    return isPossible ? routes.find(host, slug) : undefined;
  }

  /** Asks the service that the domain was moved from, and returns the resulting link. */
  async function findAtOldService(host: string, slug: string, client?: string): Promise<Route | undefined> {
    if (client === undefined) return undefined;
    const domain = await routes.settingsOf(host);
    if (domain === null || domain.import_from === null) return undefined;
    if (!(await fallbackLookup.find(domain, slug, client))) return undefined;
    routes.purge(`${domain.id}/${normalizeSlug(slug)}`);
    return find(host, slug);
  }

  return {
    watch() {
      void holdConnections(pool, 1);
      const purges = meter.counter("terse_purges_total");
      const delay = meter.histogram("terse_purge_delay_seconds");
      channel ??= openPurgeChannel(databaseUrl, {
        onPurge(message) {
          purges.value++;
          routes.purge(message);
        },
        onEcho: (ms) => delay.observe(ms / 1000),
        onOpen: (again) => {
          routes.markStale();
          if (again) onEvent(coreEvent("link_changes_restored"));
        },
        onLost: (reason) => onEvent(coreEvent("link_changes_lost", { reason })),
      });
    },
    peek(slug, now) {
      const route = routes.peek(slug);
      if (route === undefined || !isPlain(route, now)) return null;
      hits.value++;
      return route;
    },
    decideAtOnce(slug, now, visitor) {
      const route = routes.peek(slug);
      if (route?.rules?.isImmediate !== true) return null;
      const decision = decide(route, now, visitor);
      if (decision instanceof Promise || decision.kind !== "redirect") return null;
      hits.value++;
      const { link_id, location: destination, status } = decision;
      return status === undefined ? { link_id, destination } : { link_id, destination, status };
    },
    isServed: async (host) => (await routes.domainOf(host)) !== null,
    async resolve(host, slug, visitor) {
      const now = clock().getTime();
      const route = (await find(host, slug)) ?? (await findAtOldService(host, slug, visitor.client));
      if (route === undefined) return { kind: "not_found" };
      const limit = route.rules?.click_limit ?? null;
      const decision =
        limit === null
          ? await decide(route, now, visitor)
          : await decideLimited(permits, route, { limit, now, visitor });
      const renewed = await renewHash(deps, route, decision, visitor, now);
      // The announcement of the new hash may come after the visitor's next request.
      if (renewed !== null) routes.purge(`${await routes.domainOf(host)}/${slug}`);
      return renewed ?? decision;
    },
    async preview(host, slug) {
      const now = clock().getTime();
      const route = await find(host, slug);
      return route === undefined ? { kind: "not_found" } : previewOf({ routes, permits }, route, now);
    },
    async domain(host) {
      const settings = await routes.settingsOf(host);
      return settings && withoutBlocked(settings, hostLists);
    },
    async avatar(host, slug, name) {
      const route = await find(host, slug);
      const decision = route && (await decide(route, clock().getTime(), unknownVisitor));
      const avatar = decision?.kind === "bucket" ? decision.page.avatar : null;
      return avatar?.url.endsWith(`/${name}`) ? avatar : null;
    },
    invalidate: ({ domain_id, slug }) => routes.purge(`${domain_id}/${slug}`),
    stats: () => ({
      routes: routes.cache.size,
      bytes: routes.cache.bytes,
      watching: channel !== null,
      watched: isWatched(),
    }),
    async close() {
      await channel?.close();
    },
  };
}

/**
 * Stores the hash of a right password again if it is weaker than today's. Returns the decision, with an unlock token under the
 * new hash, or null if nothing was stored: the password has changed, or the database cannot be reached. The next right
 * password tries again.
 */
async function renewHash(
  { pool, passwordCost }: Pick<RedirectsDeps, "pool" | "passwordCost">,
  route: Route,
  decision: Decision,
  { password: typed, client }: Visitor,
  now: number,
): Promise<Decision | null> {
  const old = route.rules?.password_hash ?? null;
  if (decision.kind !== "redirect" || decision.unlock_token === undefined) return null;
  if (typed === undefined || old === null || !needsRehash(old, passwordCost)) return null;
  try {
    const hash = await hashPassword(typed, sharesOfVisit(route.link_id, client), passwordCost);
    const { rowCount } = await pool.query({
      text: "update links set password_hash = $3 where id = $1 and password_hash = $2",
      values: [route.link_id, old, hash],
    });
    if (rowCount !== 1) return null;
    const value = issueUnlockToken(hash, route.link_id, now);
    return { ...decision, unlock_token: { ...decision.unlock_token, value } };
  } catch {
    return null;
  }
}
