import type { VerifiedDomain } from "./route.ts";

interface Entry {
  /** Null if no domain has the name */
  domain: VerifiedDomain | null;
  /** See Route */
  loadedAt: number;
}

/** Maximum number of cached host names, known or unknown. */
const maxHosts = 10_000;
/** Maximum length of what is cached of all of them. Few domains have files, which take most of it. */
const maxCharacters = 16 * 1024 * 1024;

const lengthOf = ({ domain }: Entry) =>
  domain === null
    ? 0
    : Object.values(domain).reduce((sum, value: string | null) => sum + (value?.length ?? 0), 0);

/** Caches domains by host name. When it is full, it begins again: reading a domain costs one statement. */
export class DomainCache {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  get(hostname: string): Entry | undefined {
    return this.#entries.get(hostname);
  }

  set(hostname: string, entry: Entry): void {
    this.delete(hostname);
    if (this.#entries.size >= maxHosts || this.#characters + lengthOf(entry) > maxCharacters) {
      this.#entries.clear();
      this.#characters = 0;
    }
    this.#entries.set(hostname, entry);
    this.#characters += lengthOf(entry);
  }

  delete(hostname: string): void {
    const entry = this.#entries.get(hostname);
    if (entry === undefined) return;
    this.#entries.delete(hostname);
    this.#characters -= lengthOf(entry);
  }

  /** Changes may have been missed: domains must be read again, but stay in case the database does not answer. */
  markStale(): void {
    for (const entry of this.#entries.values()) entry.loadedAt = 0;
  }
}
