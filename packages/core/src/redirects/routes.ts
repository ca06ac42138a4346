import type { Pool } from "pg";
import { SingleFlight } from "../concurrency/single-flight.ts";
import { ownDomainId, type ShortHost, hostnameOfHeader } from "../kernel/short-host.ts";
import { CircuitBreaker, isUnavailable, unavailable } from "../concurrency/circuit-breaker.ts";
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
  limits?: RouteCacheLimits | undefined;
  /** True while changes are announced, see PurgeChannel */
  isWatched: () => boolean;
}

/** Which domain a host is; null for none. */
interface Domain {
  id: string | null;
  /** As of a Route */
  loadedAt: number;
}

/** Routes by host and slug: out of the cache, else by one read that all who wait for it share. */
export class Routes {
  readonly cache: RouteCache;
  readonly #deps: Deps;
  readonly #breaker: CircuitBreaker;
  readonly #domains = new Map<string, Domain>();
  readonly #routeLoads = new SingleFlight<Route | undefined>();
  readonly #domainLoads = new SingleFlight<string | null>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#breaker = new CircuitBreaker();
    this.cache = new RouteCache(deps.limits);
  }

  /** The cached route of a slug on the service's own host, or undefined where somebody has to look. Allocates nothing. */
  peek(slug: string): Route | undefined {
    const route = this.cache.get(slug);
    return route !== undefined && this.#isFresh(route.loadedAt) ? route : undefined;
  }

  /** Undefined where there is no such link; 503 where the database is away and the link was never seen. */
  async find(host: string, slug: string): Promise<Route | undefined> {
    const domainId = await this.domainOf(host);
    return domainId === null ? undefined : this.#route(domainId, slug);
  }

  /** The domain that a Host header names: our own or a verified custom one, null for any other; 503 like `find`. */
  async domainOf(host: string): Promise<string | null> {
    const hostname = hostnameOfHeader(host);
    return hostname === this.#deps.shortHost.hostname ? ownDomainId : this.#domain(hostname);
  }

  /** Drops what a message of the purge channel names. */
  purge(message: string): void {
    if (message.startsWith("host:")) {
      const hostname = message.slice("host:".length);
      this.#domains.delete(hostname);
      this.#domainLoads.invalidate(hostname);
      return;
    }
    const key = keyOf(message.slice(0, ownDomainId.length), message.slice(ownDomainId.length + 1));
    this.cache.delete(key);
    this.#routeLoads.invalidate(key);
  }

  /** Messages may have been missed. What is cached stays for the case that the database does not answer. */
  markStale(): void {
    this.cache.markStale();
    for (const domain of this.#domains.values()) domain.loadedAt = 0;
    this.#routeLoads.invalidateAll();
    this.#domainLoads.invalidateAll();
  }

  /** With the database away, better a link as it was than none. */
  #isFresh(loadedAt: number): boolean {
    if (loadedAt > 0 && (this.#deps.isWatched() || performance.now() - loadedAt < untrustedMs)) return true;
    return this.#breaker.isOpen;
  }

  async #route(domainId: string, slug: string): Promise<Route | undefined> {
    const key = keyOf(domainId, slug);
    const cached = this.cache.get(key);
    if (cached !== undefined && this.#isFresh(cached.loadedAt)) return cached;
    if (cached === undefined && this.cache.isUnknown(key, performance.now())) return undefined;
    const askedAt = performance.now();
    try {
      return await this.#routeLoads.run(
        key,
        () => this.#ask(() => loadRoute(this.#deps, domainId, slug)),
        (route) => (route ? this.cache.set(key, route) : this.cache.setUnknown(key, askedAt)),
      );
    } catch (error) {
      if (cached === undefined || !isUnavailable(error)) throw error;
      return cached;
    }
  }

  async #domain(hostname: string): Promise<string | null> {
    if (!possibleHost.test(hostname)) return null;
    const known = this.#domains.get(hostname);
    if (known !== undefined && this.#isFresh(known.loadedAt)) return known.id;
    const askedAt = performance.now();
    try {
      return await this.#domainLoads.run(
        hostname,
        () => this.#ask(() => verifiedDomain(this.#deps.pool, hostname)),
        (id) => {
          if (this.#domains.size >= mostHosts) this.#domains.clear();
          this.#domains.set(hostname, { id, loadedAt: askedAt });
        },
      );
    } catch (error) {
      if (known === undefined || !isUnavailable(error)) throw error;
      return known.id;
    }
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#routeLoads.size + this.#domainLoads.size >= mostLoads) throw unavailable();
    return this.#breaker.run(question);
  }
}

/** A slug itself on the service's own host. No request can name another host's slug: none has the byte 0 in it. */
const keyOf = (domainId: string, slug: string) => (domainId === ownDomainId ? slug : `${domainId}\0${slug}`);
