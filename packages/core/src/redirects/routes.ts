import { setTimeout as sleep, setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Pool } from "pg";
import { CircuitBreaker, isUnavailable, unavailable } from "../db/circuit-breaker.ts";
import { isDatabaseUnavailable } from "../db/errors.ts";
import { ChangeTimes, type Replicas } from "../db/replicas.ts";
import { SingleFlight } from "../kernel/async/single-flight.ts";
import { forEachYielding, timeLeft } from "../kernel/async/waiting.ts";
import type { Counter, Meter } from "../kernel/meter.ts";
import { hostnameOfHeader, ownDomainId, type ShortHost } from "../kernel/host-names.ts";
import type { HostLists } from "../safety/screening/screening.ts";
import { DomainCache, RouteCache, type RouteCacheLimits } from "./cache.ts";
import {
  type Description,
  isOutdated,
  loadDescription,
  loadRoute,
  type Route,
  screened,
  verifiedDomain,
  type VerifiedDomain,
} from "./route.ts";

/** While changes are not received, cached values are trusted for this long. */
const unwatchedMs = 1000;
/** A replica that does not answer in this time is abandoned for the primary. */
const replicaMs = 500;
/** The time that replicas have, all together, while there is no primary. */
const lastResortMs = 2000;
/** Maximum concurrent look-ups; beyond it the short-link host answers 503. */
const maxLoads = 2000;
/** Any name that a custom domain can have. */
const possibleHost = /^[a-z0-9.-]{1,253}$/;

interface Deps {
  pool: Pool;
  replicas?: Replicas | null;
  shortHost: ShortHost;
  hostLists: Pick<HostLists, "isBlocked">;
  cacheLimits?: RouteCacheLimits;
  meter: Pick<Meter, "counter">;
  /** True while changes are announced, see PurgeChannel */
  isWatched: () => boolean;
}

/** Finds routes by host and slug, in the cache or by one read that concurrent callers share. */
export class Routes {
  readonly cache: RouteCache;
  readonly #deps: Deps;
  readonly #breaker = new CircuitBreaker();
  readonly #hits: Counter;
  readonly #reads: Counter;
  readonly #domains = new DomainCache();
  readonly #routeLoads = new SingleFlight<Route | undefined>();
  readonly #domainLoads = new SingleFlight<VerifiedDomain | null>();
  readonly #descriptionLoads = new SingleFlight<Description | undefined>();
  /** Changes that a replica may not have yet, by what names them in messages of the purge channel */
  readonly #changes = new ChangeTimes();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#hits = deps.meter.counter("terse_route_cache_hits_total");
    this.#reads = deps.meter.counter("terse_route_cache_loads_total");
    this.cache = new RouteCache(deps.cacheLimits);
  }

  /** The cached route of a slug on the service's own host; undefined if it has to be loaded. Allocates nothing. */
  peek(slug: string): Route | undefined {
    const route = this.cache.get(slug);
    return route !== undefined && this.#isFresh(route.loadedAt) ? route : undefined;
  }

  /** Undefined if there is no such link; 503 if the database is unreachable and the link is not cached. */
  async find(host: string, slug: string): Promise<Route | undefined> {
    const domainId = await this.domainOf(host);
    return domainId === null ? undefined : this.#route(domainId, slug);
  }

  /** A link's facts for its preview, besides its route; not cached. Undefined if the link was deleted a moment ago. */
  describe(linkId: string): Promise<Description | undefined> {
    return this.#descriptionLoads.run(linkId, () =>
      this.#load("", ({ pool }) => loadDescription(pool, linkId)),
    );
  }

  /** The id of the domain that a Host header names: our own, a verified custom one, or null; 503 as in `find`. */
  async domainOf(host: string): Promise<string | null> {
    const hostname = hostnameOfHeader(host);
    if (hostname === this.#deps.shortHost.hostname) return ownDomainId;
    return (await this.#domain(hostname))?.id ?? null;
  }

  /** A custom domain's settings; null for our own host and unknown ones; 503 as in `find`. */
  async settingsOf(host: string): Promise<VerifiedDomain | null> {
    const hostname = hostnameOfHeader(host);
    return hostname === this.#deps.shortHost.hostname ? null : this.#domain(hostname);
  }

  /** Invalidates what a message of the purge channel names. */
  purge(message: string): void {
    if (message.startsWith("account:")) {
      this.#changes.markAll();
      void this.#purgeAccount(Number(message.slice("account:".length)));
      return;
    }
    this.#changes.mark(message);
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

  /** Messages may have been missed. Cached values stay in case the database does not answer. */
  markStale(): void {
    this.#changes.markAll();
    this.cache.markStale();
    this.#domains.markStale();
    this.#routeLoads.invalidateAll();
    this.#domainLoads.invalidateAll();
  }

  /** Drops cached routes that the host lists now block or no longer block; the next visit loads them again. */
  async rescreen(): Promise<void> {
    await yieldToEventLoop(); // routes that were screened before the change are in the cache by then
    await forEachYielding(this.cache.entries(), ([key, route]) => {
      if (isOutdated(route, this.#deps.hostLists)) this.cache.delete(key);
    });
  }

  /** Drops the routes of an account. Loads that run may have read it before its change. */
  async #purgeAccount(number: number): Promise<void> {
    this.#routeLoads.invalidateAll();
    await forEachYielding(this.cache.entries(), ([key, route]) => {
      if (route.account === number) this.cache.delete(key);
    });
  }

  /** While the database is unreachable, a stale link is better than none. */
  #isFresh(loadedAt: number): boolean {
    if (loadedAt > 0 && (this.#deps.isWatched() || performance.now() - loadedAt < unwatchedMs)) return true;
    return this.#breaker.isOpen;
  }

  async #route(domainId: string, slug: string): Promise<Route | undefined> {
    const key = keyOf(domainId, slug);
    const cached = this.cache.get(key);
    if (cached !== undefined && this.#isFresh(cached.loadedAt)) {
      this.#hits.value++;
      return cached;
    }
    if (cached === undefined && this.cache.isUnknown(key, performance.now())) return undefined;
    let asOf = 0;
    const loading = this.#routeLoads.run(
      key,
      async () => {
        const { shortHost, hostLists } = this.#deps;
        const load = (source: Source) => {
          ({ asOf } = source);
          return loadRoute({ ...source, shortHost }, domainId, slug);
        };
        const route = await this.#load(`${domainId}/${slug}`, load, cached !== undefined);
        return route && screened(route, hostLists);
      },
      (route) => (route ? this.cache.set(key, route) : this.cache.setUnknown(key, asOf)),
    );
    return orStale(loading, cached);
  }

  async #domain(hostname: string): Promise<VerifiedDomain | null> {
    if (!possibleHost.test(hostname)) return null;
    const known = this.#domains.get(hostname);
    if (known !== undefined && this.#isFresh(known.loadedAt)) return known.domain;
    let loadedAt = 0;
    const load = ({ pool, asOf }: Source) => {
      loadedAt = asOf;
      return verifiedDomain(pool, hostname);
    };
    const loading = this.#domainLoads.run(
      hostname,
      () => this.#load(`host:${hostname}`, load, known !== undefined),
      (domain) => this.#domains.set(hostname, { domain, loadedAt }),
    );
    return orStale(loading, known?.domain);
  }

  /**
   * Reads from a replica that has the last change of `key`, else from the primary. If there is none, then from the first replica
   * that answers, unless what is cached is shown instead: that is never older than what was changed.
   */
  async #load<T>(key: string, load: (source: Source) => Promise<T>, isCached = false): Promise<T> {
    const loads = this.#routeLoads.size + this.#domainLoads.size + this.#descriptionLoads.size;
    if (loads >= maxLoads) throw unavailable();
    this.#reads.value++;
    const { pool, replicas, isWatched } = this.#deps;
    if (!replicas) return this.#breaker.run(() => load({ pool, asOf: performance.now() }));

    // Without messages about changes, it is unknown what a replica must have.
    const fresh = isWatched() ? replicas.fresh(this.#changes.of(key)) : null;
    if (fresh !== null) {
      const answer = await inTime(load(fresh), replicaMs);
      if (answer !== undefined) return answer.value;
    }
    try {
      if (replicas.isPrimaryUnavailable) throw unavailable();
      return await this.#breaker.run(() => load({ pool, asOf: performance.now() }));
    } catch (error) {
      if (isCached || !isUnavailable(error)) throw error;
      const left = timeLeft(lastResortMs);
      for (const { pool: replica } of replicas.latest(this.#changes.known(key))) {
        const answer = await inTime(load({ pool: replica, asOf: 0 }), left());
        if (answer !== undefined) return answer.value;
      }
      throw error;
    }
  }
}

/** A server to read from, and when its data was current; 0 if unknown, so that it is read again soon. */
interface Source {
  pool: Pool;
  asOf: number;
}

/** While the database is unreachable, the cached value, if there is one. */
async function orStale<T>(loading: Promise<T>, cached: T | undefined): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (cached === undefined || !isUnavailable(error)) throw error;
    return cached;
  }
}

/** Undefined if a replica is unreachable, or does not answer within `ms`. */
async function inTime<T>(result: Promise<T>, ms: number): Promise<{ value: T } | undefined> {
  const answer = result.then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!isUnavailable(error) && !isDatabaseUnavailable(error)) throw error;
    },
  );
  return (await Promise.race([answer, sleep(ms, undefined, { ref: false })])) ?? undefined;
}

/** On the service's own host the slug itself. Slugs have no NUL, so no request can spell another host's key. */
const keyOf = (domainId: string, slug: string) => (domainId === ownDomainId ? slug : `${domainId}\0${slug}`);
