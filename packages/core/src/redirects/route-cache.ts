import type { Route } from "./route.ts";

export interface RouteCacheLimits {
  /** Most routes at once */
  entries: number;
  /** Most bytes of them, estimated */
  bytes: number;
  /** Most unknown slugs remembered at once */
  unknown: number;
}

export const defaultLimits: RouteCacheLimits = { entries: 200_000, bytes: 64 * 1024 * 1024, unknown: 20_000 };

/** How long an unknown slug is remembered; no change is seen later than within a second. */
const unknownMs = 900;

/**
 * Routes by key, bounded by number and by bytes. What to drop is found by second chance (CLOCK): the oldest entry goes
 * unless it was used since it was last looked at. A hit costs one Map look-up and a flag. Unknown slugs are kept apart,
 * so that somebody who tries slugs evicts no link.
 */
export class RouteCache {
  readonly #routes = new Map<string, Route>();
  readonly #unknown = new Map<string, number>();
  readonly #limits: RouteCacheLimits;
  #bytes = 0;

  constructor(limits: RouteCacheLimits = defaultLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#routes.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Route | undefined {
    const route = this.#routes.get(key);
    if (route !== undefined) route.used = true;
    return route;
  }

  set(key: string, route: Route): void {
    this.delete(key);
    this.#routes.set(key, route);
    this.#bytes += sizeOf(key, route);
    while (this.#routes.size > this.#limits.entries || this.#bytes > this.#limits.bytes) this.#evict();
  }

  /** True where the key was asked for a moment ago and the database knew nothing. */
  isUnknown(key: string, now: number): boolean {
    const until = this.#unknown.get(key);
    return until !== undefined && now < until;
  }

  setUnknown(key: string, now: number): void {
    this.delete(key);
    this.#unknown.set(key, now + unknownMs);
    if (this.#unknown.size > this.#limits.unknown) {
      const oldest = this.#unknown.keys().next().value;
      if (oldest !== undefined) this.#unknown.delete(oldest);
    }
  }

  delete(key: string): void {
    const route = this.#routes.get(key);
    if (route !== undefined) {
      this.#bytes -= sizeOf(key, route);
      this.#routes.delete(key);
    }
    this.#unknown.delete(key);
  }

  clear(): void {
    this.#routes.clear();
    this.#unknown.clear();
    this.#bytes = 0;
  }

  #evict(): void {
    for (const [key, route] of this.#routes) {
      if (!route.used) return this.delete(key);
      // The second chance: to the end of the line, and it must be used again by the time it comes back.
      route.used = false;
      this.#routes.delete(key);
      this.#routes.set(key, route);
    }
  }
}

/** Entry, object and string headers on 64-bit V8; the texts are mostly one byte a character. */
const overhead = 200;

function sizeOf(key: string, { destination, rules }: Route): number {
  return overhead + key.length + destination.length + (rules === null ? 0 : JSON.stringify(rules).length * 2);
}
