import type { VerifiedDomain } from "./route.ts";

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
/** Maximum length of what is cached of all of them. Few domains have files, which take most of it. */
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
