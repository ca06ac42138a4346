import type { Permits } from "../clicks/index.ts";
import type { RedirectDeps } from "../deps.ts";
import { coreEvent } from "../kernel/events.ts";
import type { Redirects } from "./redirects.types.ts";
import { decide, isPlain } from "./decide.ts";
import { decideLimited } from "./limited.ts";
import { renewHash } from "./renew-hash.ts";
import { openPurgeChannel, type PurgeChannel } from "./purge-channel.ts";
import { nobody, previewOf } from "./preview.ts";
import type { Route } from "./route.ts";
import { Routes } from "./routes.ts";

/** The longest possible path in UTF-16 code units: 64 characters of about ten each (emoji), and an item's number. */
const maxSlugUnits = 1024;

/** No hash is renewed before: until a deployment is over, nodes of the previous version cannot read new hashes. */
const deploymentMs = 3_600_000;

export function createRedirects(deps: RedirectDeps, permits: Permits): Redirects {
  let channel: PurgeChannel | null = null;
  const { pool, shortHost, hostLists, clock, databaseUrl, onEvent } = deps;
  const routes = new Routes({ pool, shortHost, hostLists, isWatched: () => channel?.open ?? false });

  let firstVisitAt: number | undefined;

  hostLists.onChange(() => void routes.rescreen());

  async function find(host: string, rawSlug: string): Promise<Route | undefined> {
    const slug = rawSlug.normalize("NFC");
    const isPossible = slug.length <= maxSlugUnits && slug.isWellFormed() && !`${host}${slug}`.includes("\0");
    return isPossible ? routes.find(host, slug) : undefined;
  }

  return {
    watch() {
      channel ??= openPurgeChannel(databaseUrl, {
        onPurge: (message) => routes.purge(message),
        onOpen: (again) => {
          routes.markStale();
          if (again) onEvent(coreEvent("link_changes_restored"));
        },
        onLost: (reason) => onEvent(coreEvent("link_changes_lost", { reason })),
      });
    },
    peek(slug, now) {
      const route = routes.peek(slug);
      return route !== undefined && isPlain(route, now) ? route : null;
    },
    isServed: async (host) => (await routes.domainOf(host)) !== null,
    async resolve(host, slug, visitor) {
      const now = clock().getTime();
      firstVisitAt ??= now;
      const route = await find(host, slug);
      if (route === undefined) return { kind: "not_found" };
      const limit = route.rules?.click_limit ?? null;
      const decision =
        limit === null
          ? await decide(route, now, visitor)
          : await decideLimited(permits, route, { limit, now, visitor });
      if (now < firstVisitAt + deploymentMs) return decision;
      const renewed = await renewHash(deps, { route, decision, visitor, now });
      // The announcement of the new hash may come after the visitor's next request.
      if (renewed !== null) routes.purge(`${await routes.domainOf(host)}/${slug}`);
      return renewed ?? decision;
    },
    async preview(host, slug) {
      const now = clock().getTime();
      const route = await find(host, slug);
      return route === undefined ? { kind: "not_found" } : previewOf({ routes, permits }, route, now);
    },
    async avatar(host, slug, name) {
      const route = await find(host, slug);
      const decision = route && (await decide(route, clock().getTime(), nobody));
      const avatar = decision?.kind === "bucket" ? decision.page.avatar : null;
      return avatar?.url.endsWith(`/${name}`) ? avatar : null;
    },
    invalidate: ({ domain_id, slug }) => routes.purge(`${domain_id}/${slug}`),
    stats: () => ({ routes: routes.cache.size, bytes: routes.cache.bytes, watched: channel?.open ?? false }),
    async close() {
      await channel?.close();
    },
  };
}
