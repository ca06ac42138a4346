import type { Pool } from "pg";
import { ownDomainId, type ShortHost } from "../short-host.ts";
import { Breaker, isUnavailable, unavailable } from "./breaker.ts";
import { hostnameOfHeader } from "./host.ts";
import { Loads } from "./loads.ts";
import { loadRoute, type Route, verifiedDomain } from "./route.ts";
import { RouteCache, type RouteCacheLimits } from "./route-cache.ts";

/** While nothing tells of changes, what was loaded is trusted for this long. */
const untrustedMs = 1000;
/** Look-ups under way at once; beyond them the short-link host is overloaded and says so. */
const mostLoads = 2000;
/** Any name or address that a custom domain can have. */
const possibleHost = /^[a-z0-9.-]{1,253}$/;
/** Host names remembered at once, known or not. */
const mostHosts = 10_000;

interface Deps {
  pool: Pool;
  shortHost: ShortHost;
  clock: () => Date;
  limits?: RouteCacheLimits | undefined;
  /** True while changes are announced, see PurgeChannel */
  isWatched: () => boolean;
}

/** Which domain a host is; null for none. */
interface Domain {
  id: string | null;
  loaded_at: number;
}

/** Routes by host and slug: out of the cache, else by one read that all who wait for it share. */
export class Routes {
  readonly cache: RouteCache;
  readonly #deps: Deps;
  readonly #breaker: Breaker;
  readonly #domains = new Map<string, Domain>();
  readonly #routeLoads = new Loads<Route | undefined>();
  readonly #domainLoads = new Loads<string | null>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#breaker = new Breaker(deps.clock);
    this.cache = new RouteCache(deps.limits);
  }

  /** The cached route of a slug on the service's own host, or undefined where somebody has to look. Allocates nothing. */
  peek(slug: string, now: number): Route | undefined {
    const route = this.cache.get(slug);
    return route !== undefined && this.#isFresh(route.loaded_at, now) ? route : undefined;
  }

  /** Undefined where there is no such link; 503 where the database is away and the link was never seen. */
  async find(host: string, slug: string, now: number): Promise<Route | undefined> {
    const domainId = await this.domainOf(host, now);
    return domainId === null ? undefined : this.#route(domainId, slug, now);
  }

  /** The domain that a Host header names: our own or a verified custom one, null for any other; 503 like `find`. */
  async domainOf(host: string, now: number): Promise<string | null> {
    const hostname = hostnameOfHeader(host);
    return hostname === this.#deps.shortHost.hostname ? ownDomainId : this.#domain(hostname, now);
  }

  /** Drops what a message of the purge channel names. */
  purge(message: string): void {
    if (message.startsWith("host:")) {
      const hostname = message.slice("host:".length);
      this.#domains.delete(hostname);
      this.#domainLoads.drop(hostname);
      return;
    }
    const key = keyOf(message.slice(0, ownDomainId.length), message.slice(ownDomainId.length + 1));
    this.cache.delete(key);
    this.#routeLoads.drop(key);
  }

  /** Messages may have been missed. What is cached stays for the case that the database does not answer. */
  distrust(): void {
    this.cache.distrust();
    for (const domain of this.#domains.values()) domain.loaded_at = 0;
    this.#routeLoads.dropAll();
    this.#domainLoads.dropAll();
  }

  /** With the database away, better a link as it was than none. */
  #isFresh(loadedAt: number, now: number): boolean {
    if (this.#breaker.isOpen(now)) return true;
    return loadedAt > 0 && (this.#deps.isWatched() || now - loadedAt < untrustedMs);
  }

  async #route(domainId: string, slug: string, now: number): Promise<Route | undefined> {
    const key = keyOf(domainId, slug);
    const cached = this.cache.get(key);
    if (cached !== undefined && this.#isFresh(cached.loaded_at, now)) return cached;
    if (cached === undefined && this.cache.isUnknown(key, now)) return undefined;
    try {
      return await this.#routeLoads.share(
        key,
        () => this.#ask(() => loadRoute(this.#deps, domainId, slug, now)),
        (route) => (route ? this.cache.set(key, route) : this.cache.setUnknown(key, now)),
      );
    } catch (error) {
      if (cached === undefined || !isUnavailable(error)) throw error;
      return cached;
    }
  }

  async #domain(hostname: string, now: number): Promise<string | null> {
    if (!possibleHost.test(hostname)) return null;
    const known = this.#domains.get(hostname);
    if (known !== undefined && this.#isFresh(known.loaded_at, now)) return known.id;
    try {
      return await this.#domainLoads.share(
        hostname,
        () => this.#ask(() => verifiedDomain(this.#deps.pool, hostname)),
        (id) => {
          if (this.#domains.size >= mostHosts) this.#domains.clear();
          this.#domains.set(hostname, { id, loaded_at: now });
        },
      );
    } catch (error) {
      if (known === undefined || !isUnavailable(error)) throw error;
      return known.id;
    }
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#routeLoads.size + this.#domainLoads.size >= mostLoads) throw unavailable();
    return this.#breaker.ask(question);
  }
}

/** A slug itself on the service's own host. No request can name another host's slug: none has the byte 0 in it. */
const keyOf = (domainId: string, slug: string) => (domainId === ownDomainId ? slug : `${domainId}\0${slug}`);
