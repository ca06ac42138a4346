import type { Route, VerifiedDomain } from "./route.ts";

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
/** Longer keys of unknown slugs are not cached: they are rarely requested twice. */
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
    if (this.#unknown.size >= this.#limits.unknown) this.#unknown.clear();
    this.#unknown.set(copyOf(key), now + unknownMs);
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
  // Compiled conditions take about five times their text, as measured.
  const compiled = rules.rules === null ? 0 : JSON.stringify(rules.rules).length * 5;
  return plain + JSON.stringify(rules).length * 2 + compiled;
}

interface Entry {
  /** Null if no domain has the name */
  domain: VerifiedDomain | null;
  /** See Route */
  loadedAt: number;
}

/** Maximum number of cached domains */
const maxDomains = 10_000;
/** Maximum number of cached host names that no domain has */
const maxUnknown = 10_000;
/** Maximum total length of cached domains. Few domains have files, which take most of it. */
const maxCharacters = 16 * 1024 * 1024;

const lengthOf = ({ domain }: Entry) =>
  domain === null
    ? 0
    : Object.values(domain).reduce((sum, value: string | null) => sum + (value?.length ?? 0), 0);

/**
 * Caches domains by host name. When there are too many, it begins again: reading a domain costs one statement. Names that no
 * domain has are kept apart, so that a client that tries many names evicts no domain.
 */
export class DomainCache {
  readonly #domains = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  #characters = 0;

  get(hostname: string): Entry | undefined {
    return this.#domains.get(hostname) ?? this.#unknown.get(hostname);
  }

  set(hostname: string, entry: Entry): void {
    this.delete(hostname);
    if (entry.domain === null) {
      if (this.#unknown.size >= maxUnknown) this.#unknown.clear();
      this.#unknown.set(hostname, entry);
      return;
    }
    if (this.#domains.size >= maxDomains || this.#characters + lengthOf(entry) > maxCharacters) {
      this.#domains.clear();
      this.#characters = 0;
    }
    this.#domains.set(hostname, entry);
    this.#characters += lengthOf(entry);
  }

  delete(hostname: string): void {
    this.#unknown.delete(hostname);
    const entry = this.#domains.get(hostname);
    if (entry === undefined) return;
    this.#domains.delete(hostname);
    this.#characters -= lengthOf(entry);
  }

  /** Changes may have been missed: domains must be read again, but stay in case the database does not answer. */
  markStale(): void {
    for (const entries of [this.#domains, this.#unknown])
      for (const entry of entries.values()) entry.loadedAt = 0;
  }
}
