import type { Deps } from "../deps.ts";
import { verifyPassword } from "../links/index.ts";
import type { Decision, Pass, Redirects, Visitor } from "../types.ts";
import { isPass, issuePass, passSeconds } from "./pass.ts";
import { openPurgeChannel, type PurgeChannel } from "./purge-channel.ts";
import type { Route } from "./route.ts";
import { Routes } from "./routes.ts";
import { geoUrl, variantOf } from "./targeting.ts";

/** No path is longer, in UTF-16 code units: 64 characters of at most some ten each, as emoji have, and an item's number. */
const maxSlugUnits = 1024;

export function createRedirects({ pool, shortHost, clock, databaseUrl, onEvent }: Deps): Redirects {
  let channel: PurgeChannel | null = null;
  const routes = new Routes({ pool, shortHost, clock, isWatched: () => channel?.open ?? false });

  return {
    watch() {
      channel ??= openPurgeChannel(databaseUrl, {
        onPurge: (message) => routes.purge(message),
        onOpen: (again) => {
          routes.distrust();
          if (again) onEvent({ level: "info", message: "changes of links are announced again" });
        },
        onLost: (reason) => onEvent({ level: "warn", message: "changes of links are not announced", reason }),
      });
    },
    peek(slug, now) {
      const route = routes.peek(slug, now);
      if (route === undefined || route.rules !== null) return null;
      return route.expires_at !== null && route.expires_at <= now ? null : route;
    },
    async resolve(host, rawSlug, visitor) {
      const slug = rawSlug.normalize("NFC");
      const possible = slug.length <= maxSlugUnits && slug.isWellFormed() && !`${host}${slug}`.includes("\0");
      if (!possible) return { kind: "not_found" };
      const now = clock().getTime();
      const route = await routes.find(host, slug, now);
      return route === undefined ? { kind: "not_found" } : decide(route, now, visitor);
    },
    forget: ({ domain_id, slug }) => routes.purge(`${domain_id}/${slug}`),
    stats: () => ({ routes: routes.cache.size, bytes: routes.cache.bytes, watched: channel?.open ?? false }),
    async close() {
      await channel?.close();
    },
  };
}

/** In the order active, expiry, password, geo rule, A/B variant, destination. */
async function decide(route: Route, now: number, visitor: Visitor): Promise<Decision> {
  const { link_id, destination, expires_at, rules } = route;
  let pass: Pass | undefined;
  const to = (location: string, variant: number | null = null): Decision => ({
    kind: "redirect",
    link_id,
    location,
    variant,
    ...(pass && { pass }),
  });
  if (rules?.is_active === false) return { kind: "gone", reason: "inactive" };
  if (expires_at !== null && expires_at <= now) return { kind: "gone", reason: "expired" };
  if (rules === null) return to(destination);
  if (rules.password_hash !== null) {
    const { password, pass: earlier } = visitor;
    if (password !== undefined) {
      const right = await verifyPassword(password, rules.password_hash);
      if (!right) return { kind: "password", link_id, wrong: true };
      pass = { value: issuePass(rules.password_hash, link_id, now), seconds: passSeconds };
    } else if (earlier === undefined || !isPass(earlier, rules.password_hash, link_id, now)) {
      return { kind: "password", link_id, wrong: false };
    }
  }
  if (rules.page !== null) return { kind: "bucket", link_id, page: rules.page };
  const geo = geoUrl(rules.geo_rules, rules.geo_rules && visitor.country());
  if (geo) return to(geo);
  if (!rules.ab_test) return to(destination);
  const variant = variantOf(rules.ab_test, link_id, visitor.id());
  return to(rules.ab_test.variants[variant]?.url ?? destination, variant);
}
