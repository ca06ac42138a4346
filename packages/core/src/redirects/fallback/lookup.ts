import { issue } from "../../kernel/issues.ts";
import { v7 as uuidv7 } from "uuid";
import type { StorageQuota } from "../../accounts/storage.ts";
import type { Base } from "../../db/base.ts";
import { FairQueue } from "../../kernel/async/fair-queue.ts";
import { SingleFlight } from "../../kernel/async/single-flight.ts";
import { AppError } from "../../kernel/errors.ts";
import { coreEvent } from "../../kernel/events.ts";
import { RecentMap } from "../../kernel/memo.ts";
import { parseSlug } from "../../kernel/slug.ts";
import { hostOfDestination } from "../../safety/screening/host-name.ts";
import type { Screening } from "../../safety/screening/screening.ts";
import { isOwnHost } from "../destination.ts";
import type { VerifiedDomain } from "../route.ts";
import { askFor, type Control, controlSlug, isLikeControls, NoAnswer } from "./service.ts";
import { type InsertFound, storeFound } from "./store.ts";

/** How long the other service is not asked again about a slug it does not know. */
const missMs = 300_000;
/** Unknown slugs that are remembered */
const maxMisses = 10_000;
/** How long an unresponsive service is left alone */
const pauseMs = 10_000;
/** Requests that one service gets from this process in a second; a moment of rest allows this many at once */
const perSecond = 20;
/** How long the answers of a service for unused slugs are trusted */
const controlsMs = 3_600_000;
/** Such slugs are like these. */
const usualSlugs = ["aB3dE7k", "summer-sale"];
/** Remembered services */
const maxServices = 1000;

interface Service {
  /** Requests that may be sent now */
  tokens: number;
  /** When that was calculated; all times by `performance.now()` */
  at: number;
  pausedUntil: number;
  /** The answers of the service for unused slugs; requested when they are needed */
  controls: Promise<readonly Control[]> | null;
  controlsUntil: number;
}

interface LookupDeps
  extends Pick<Base, "pool" | "outbound" | "shortHost" | "clock" | "randomBytes" | "onEvent"> {
  screening: Screening;
  storage: StorageQuota;
  insertFound: InsertFound;
}

/**
 * Finds links that a domain had at the service it was moved from: an unknown slug is asked of that service once, by one request
 * for all visitors who wait, and stored.
 */
export class FallbackLookup {
  readonly #deps: LookupDeps;
  readonly #asking = new SingleFlight<boolean>();
  /** When each slug that a service does not know may be asked about again */
  readonly #misses = new RecentMap<string, number>(maxMisses);
  readonly #services = new Map<string, Service>();
  /** A client that tries many slugs delays only its own, and a slow service only its domain's */
  readonly #queue = new FairQueue({ atOnce: 4, maxWaiting: 32, refusal: tooMany });

  constructor(deps: LookupDeps) {
    this.#deps = deps;
  }

  /**
   * Returns whether there is a link now, for the waiting `client`. Throws 503 if that is unknown for now: the other
   * service does not answer, or is asked too much.
   */
  async find(domain: VerifiedDomain, rawSlug: string, client: string): Promise<boolean> {
    const { id, import_from: base } = domain;
    const parsed = parseSlug(rawSlug);
    if (base === null || !parsed.ok) return false;
    const key = `${id} ${base} ${parsed.slug}`;
    if (performance.now() < (this.#misses.get(key) ?? 0)) return false;
    return this.#asking.run(key, () =>
      this.#queue.run(
        [
          { key: client, weight: 1 },
          { key: base, weight: 1 },
        ],
        async () => {
          const isFound = await this.#import(id, base, parsed.slug);
          if (!isFound) this.#misses.set(key, performance.now() + missMs);
          return isFound;
        },
      ),
    );
  }

  async #import(domainId: string, base: string, slug: string): Promise<boolean> {
    const service = this.#serviceOf(base);
    try {
      const controls = await this.#controlsOf(service, base);
      const destination = await this.#ask(service, base, slug);
      if (destination === null || isLikeControls(controls, slug, destination)) return false;
      const control = await this.#control(service, base, slug);
      if (isLikeControls([...controls, control], slug, destination)) return false;
      return await this.#store(domainId, base, slug, destination);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      service.pausedUntil = performance.now() + pauseMs;
      service.controls = null;
      this.#deps.onEvent(coreEvent("fallback_lookup_failing", { service: base, reason: error.message }));
      throw unavailable();
    }
  }

  async #store(domainId: string, base: string, slug: string, destination: string): Promise<boolean> {
    const host = hostOfDestination(destination);
    if (isOwnHost(this.#deps, new URL(destination))) return false;
    if ((await this.#deps.screening.allBlocked([host])).size > 0) return false;
    const created_at = this.#deps.clock();
    const found = { id: uuidv7(), domain_id: domainId, slug, destination, host, created_at };
    const outcome = await storeFound(this.#deps, base, found);
    if (outcome === "too many") throw tooMany(60);
    if (outcome instanceof AppError) {
      this.#deps.onEvent(coreEvent("fallback_lookup_refused", { domain: domainId, reason: outcome.message }));
      return false;
    }
    return true;
  }

  /** Sends one request, if the service may get one now. */
  async #ask(service: Service, base: string, slug: string): Promise<string | null> {
    const now = performance.now();
    if (now < service.pausedUntil) throw unavailable();
    service.tokens = Math.min(perSecond, service.tokens + ((now - service.at) / 1000) * perSecond);
    service.at = now;
    if (service.tokens < 1) throw tooMany();
    service.tokens -= 1;
    return askFor(this.#deps.outbound, base, slug);
  }

  /** Many services send visitors of unknown slugs to a page of theirs: that is not a link. */
  async #controlsOf(service: Service, base: string): Promise<readonly Control[]> {
    const now = performance.now();
    if (service.controls === null || now >= service.controlsUntil) {
      service.controls = Promise.all(usualSlugs.map((slug) => this.#control(service, base, slug)));
      service.controlsUntil = now + controlsMs;
      service.controls.catch(() => (service.controls = null));
    }
    return service.controls;
  }

  /** The service's answer for a similar but unused slug. */
  async #control(service: Service, base: string, like: string): Promise<Control> {
    const slug = controlSlug(like, this.#deps.randomBytes);
    return { slug, location: await this.#ask(service, base, slug) };
  }

  #serviceOf(base: string): Service {
    let service = this.#services.get(base);
    if (service === undefined) {
      if (this.#services.size >= maxServices) this.#services.clear();
      const now = performance.now();
      service = { tokens: perSecond, at: now, pausedUntil: 0, controls: null, controlsUntil: 0 };
      this.#services.set(base, service);
    }
    return service;
  }
}

const unavailable = () =>
  new AppError(
    "SERVICE_UNAVAILABLE",
    "The service that this domain was moved from does not answer; try again",
    { retryAfter: pauseMs / 1000 },
  );

function tooMany(retryAfter = 1) {
  return new AppError(
    "SERVICE_UNAVAILABLE",
    issue("", "busy", "Too many unknown short URLs are being looked for; try again", {
      work: "unknown short URLs",
      seconds: retryAfter,
    }),
    { retryAfter },
  );
}
