import { ownDomainId, type ShortHost } from "../domains/index.ts";
import { AppError, isDatabaseAway } from "../errors.ts";
import type { Pool } from "pg";
import { hostnameOfHeader } from "./host.ts";
import { loadRoute, type Route } from "./route.ts";
import { RouteCache, type RouteCacheLimits } from "./route-cache.ts";

/** While nothing tells of changes, what was loaded is trusted for this long. */
const untrustedMs = 1000;
/** After the database did not answer, it is asked again no sooner than this. */
const pauseMs = 250;
/** Look-ups under way at once; beyond them the short-link host is overloaded and says so. */
const mostLoads = 2000;
/** Any name or address that a custom domain can have. */
const possibleHost = /^[a-z0-9.-]{1,253}$/;
/** Host names remembered at once, known or not. */
const mostHosts = 10_000;

interface Deps {
  pool: Pool;
  shortHost: ShortHost;
  limits?: RouteCacheLimits | undefined;
  /** True while changes are announced, see PurgeChannel */
  isWatched: () => boolean;
}

/** Routes by host and slug: out of the cache, else by one read that all who wait for it share. */
export class Routes {
  readonly cache: RouteCache;
  readonly #deps: Deps;
  readonly #loads = new Map<string, Promise<Route | undefined>>();
  readonly #domains = new Map<string, { id: string | null; loaded_at: number }>();
  #awayUntil = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.cache = new RouteCache(deps.limits);
  }

  /** The cached route of a slug on the service's own host, or undefined where somebody has to look. Allocates nothing. */
  peek(slug: string, now: number): Route | undefined {
    const route = this.cache.get(slug);
    return route !== undefined && this.#isFresh(route.loaded_at, now) ? route : undefined;
  }

  /** Undefined where there is no such link; 503 where the database is away and the link was never seen. */
  async find(host: string, slug: string, now: number): Promise<Route | undefined> {
    const hostname = hostnameOfHeader(host);
    if (hostname === this.#deps.shortHost.hostname) return this.#route(ownDomainId, slug, slug, now);
    const domainId = await this.#domain(hostname, now);
    return domainId === null ? undefined : this.#route(domainId, slug, `${domainId}/${slug}`, now);
  }

  /** Drops what a message of the purge channel names. */
  purge(message: string): void {
    if (message.startsWith("host:")) return void this.#domains.delete(message.slice("host:".length));
    const key = message.startsWith(`${ownDomainId}/`) ? message.slice(ownDomainId.length + 1) : message;
    this.cache.delete(key);
    // Whoever is reading it now may have read the row as it was: the answer is theirs, but is not kept.
    this.#loads.delete(key);
  }

  /** Drops everything: messages may have been missed. */
  reset(): void {
    this.cache.clear();
    this.#domains.clear();
    this.#loads.clear();
  }

  #isFresh(loadedAt: number, now: number): boolean {
    return this.#deps.isWatched() || now - loadedAt < untrustedMs;
  }

  async #route(domainId: string, slug: string, key: string, now: number): Promise<Route | undefined> {
    const cached = this.cache.get(key);
    if (cached !== undefined && this.#isFresh(cached.loaded_at, now)) return cached;
    if (cached === undefined && this.cache.isUnknown(key, now)) return undefined;
    try {
      return await (this.#loads.get(key) ?? this.#load(domainId, slug, key, now));
    } catch (error) {
      if (cached === undefined || !isUnavailable(error)) throw error;
      // Better a link as it was a moment ago than none: with the database away nobody can have changed it.
      cached.loaded_at = now;
      return cached;
    }
  }

  #load(domainId: string, slug: string, key: string, now: number): Promise<Route | undefined> {
    const load: Promise<Route | undefined> = this.#ask(now, () =>
      loadRoute(this.#deps.pool, domainId, slug, now),
    )
      .then((route) => {
        if (this.#loads.get(key) !== load) return route;
        if (route === undefined) this.cache.setUnknown(key, now);
        else this.cache.set(key, route);
        return route;
      })
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    this.#loads.set(key, load);
    return load;
  }

  async #domain(hostname: string, now: number): Promise<string | null> {
    if (!possibleHost.test(hostname)) return null;
    const known = this.#domains.get(hostname);
    if (known !== undefined && this.#isFresh(known.loaded_at, now)) return known.id;
    try {
      const id = await this.#ask(now, () => verifiedDomain(this.#deps.pool, hostname));
      if (this.#domains.size >= mostHosts) this.#domains.clear();
      this.#domains.set(hostname, { id, loaded_at: now });
      return id;
    } catch (error) {
      if (known === undefined || !isUnavailable(error)) throw error;
      known.loaded_at = now;
      return known.id;
    }
  }

  /** Asks the database, unless it has just not answered or too many are asking. */
  async #ask<T>(now: number, question: () => Promise<T>): Promise<T> {
    if (now < this.#awayUntil || this.#loads.size >= mostLoads) throw unavailable();
    try {
      return await question();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      this.#awayUntil = now + pauseMs;
      throw unavailable(error);
    }
  }
}

async function verifiedDomain(pool: Pool, hostname: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: "domain-of-host",
    text: "select id from domains where domain = $1 and status = 'verified' and account_id is not null",
    values: [hostname],
  });
  return rows[0]?.id ?? null;
}

const isUnavailable = (error: unknown) => error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";

const unavailable = (cause?: unknown) =>
  new AppError("SERVICE_UNAVAILABLE", "The database cannot be reached; try again shortly", {
    retryAfter: 2,
    cause,
  });
