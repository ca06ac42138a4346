import type { Route } from "./route.ts";
import { anyRules, type CachedRules } from "./rules/rules.ts";

export interface RouteCacheLimits {
  /** Maximum number of routes */
  entries: number;
  /** Maximum estimated size of all routes, in bytes */
  bytes: number;
  /** Maximum number of unknown slugs */
  unknown: number;
}

const defaultLimits: RouteCacheLimits = { entries: 200_000, bytes: 64 * 1024 * 1024, unknown: 20_000 };

/** How long an unknown slug is cached; a new link must work within a second. */
const unknownMs = 900;
/** Longer keys of unknown slugs are not cached: nobody requests them twice. */
const maxUnknownLength = 256;

/**
 * Caches routes by key, bounded by number and by bytes. Evicts by second chance (CLOCK): a hand goes round, clears the
 * flag of routes used since its last visit, and drops the first one without. A hit costs one Map look-up and a flag.
 * Unknown slugs are kept apart, so that a client that tries many slugs evicts no link.
 */
export class RouteCache {
  readonly #routes = new Map<string, Route>();
  readonly #unknown = new Map<string, number>();
  readonly #limits: RouteCacheLimits;
  /** Undefined before the first eviction, since an iterator keeps all smaller tables that a growing map has left behind. */
  #hand: MapIterator<[key: string, route: Route]> | undefined;
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
    const bytes = sizeOf(key, route);
    const { entries, bytes: maxBytes } = this.#limits;
    if (bytes > maxBytes) return;
    // Evict first: the hand may be at the end, and would drop the new route.
    while (this.#routes.size >= entries || this.#bytes + bytes > maxBytes) this.#evict();
    this.#routes.set(copyOf(key), route);
    this.#bytes += bytes;
  }

  /** True if the database had no such key a moment ago. `now` is `performance.now()`. */
  isUnknown(key: string, now: number): boolean {
    const until = this.#unknown.get(key);
    return until !== undefined && now < until;
  }

  setUnknown(key: string, now: number): void {
    this.delete(key);
    if (key.length > maxUnknownLength) return;
    this.#unknown.set(copyOf(key), now + unknownMs);
    if (this.#unknown.size > this.#limits.unknown) {
      const oldest = this.#unknown.keys().next().value;
      if (oldest !== undefined) this.#unknown.delete(oldest);
    }
  }

  entries(): Iterable<[key: string, route: Route]> {
    return this.#routes.entries();
  }

  delete(key: string): void {
    const route = this.#routes.get(key);
    if (route !== undefined) {
      this.#bytes -= sizeOf(key, route);
      this.#routes.delete(key);
    }
    this.#unknown.delete(key);
  }

  /** Changes may have been missed: routes must be loaded again, but stay in case the database does not answer. */
  markStale(): void {
    for (const route of this.#routes.values()) route.loadedAt = 0;
    this.#unknown.clear();
  }

  #evict(): void {
    for (;;) {
      this.#hand ??= this.#routes.entries();
      const { done, value } = this.#hand.next();
      if (done) this.#hand = undefined;
      else if (value[1].used) value[1].used = false;
      else return this.delete(value[0]);
    }
  }
}

/** A substring keeps the whole string in memory, here a request's URL. */
const copyOf = (text: string) => Buffer.from(text).toString();

/** Entry, object and string headers on 64-bit V8; strings are mostly one byte per character. */
const overhead = 270;

function sizeOf(key: string, { destination, rules }: Route): number {
  const plain = overhead + key.length + destination.length;
  if (rules === null) return plain;
  return anyRules.reduce(
    (sum, kind) => {
      const value = rules[kind.column as keyof CachedRules];
      return sum + (value === null ? 0 : (kind.bytesCached?.(value) ?? 0));
    },
    plain + JSON.stringify(rules).length * 2,
  );
}
