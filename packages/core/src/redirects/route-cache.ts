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
/** Longer keys of unknown slugs are not remembered: nobody but their sender asks for them. */
const longestUnknown = 256;

/**
 * Routes by key, bounded by number and by bytes. What to drop is found by second chance (CLOCK): a hand goes round,
 * takes the mark off what was used since it last came by, and drops what has none. A hit costs one Map look-up and a
 * flag. Unknown slugs are kept apart, so that somebody who tries slugs evicts no link.
 */
export class RouteCache {
  readonly #routes = new Map<string, Route>();
  readonly #unknown = new Map<string, number>();
  readonly #limits: RouteCacheLimits;
  #hand = this.#routes.entries();
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
    const { entries, bytes: mostBytes } = this.#limits;
    if (bytes > mostBytes) return;
    // Room is made before: the hand may be at the end, and would drop what has just come.
    while (this.#routes.size >= entries || this.#bytes + bytes > mostBytes) this.#evict();
    this.#routes.set(ownCopy(key), route);
    this.#bytes += bytes;
  }

  /** True where the key was asked for a moment ago and the database knew nothing. `now` is that of `performance`. */
  isUnknown(key: string, now: number): boolean {
    const until = this.#unknown.get(key);
    return until !== undefined && now < until;
  }

  setUnknown(key: string, now: number): void {
    this.delete(key);
    if (key.length > longestUnknown) return;
    this.#unknown.set(ownCopy(key), now + unknownMs);
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

  /** Changes may have been missed: everything is to be asked for anew, and kept for the case that nobody answers. */
  markStale(): void {
    for (const route of this.#routes.values()) route.loadedAt = 0;
    this.#unknown.clear();
  }

  #evict(): void {
    for (;;) {
      const { done, value } = this.#hand.next();
      if (done) this.#hand = this.#routes.entries();
      else if (value[1].used) value[1].used = false;
      else return this.delete(value[0]);
    }
  }
}

/** A piece of a text keeps all of it alive: here a request's whole URL. */
const ownCopy = (text: string) => Buffer.from(text).toString();

/** Entry, object and string headers on 64-bit V8; the texts are mostly one byte a character. */
const overhead = 270;

function sizeOf(key: string, { destination, rules }: Route): number {
  return overhead + key.length + destination.length + (rules === null ? 0 : JSON.stringify(rules).length * 2);
}
