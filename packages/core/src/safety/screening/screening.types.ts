/** Host lists from files. Hosts are spelled as `URL.hostname` does. */
export interface HostLists {
  /** Reads the lists, then again whenever a file changes. Resolves once each was read or found unreadable. */
  start(): Promise<void>;
  /** Returns whether a list has the host or a domain above it. Reads memory only. */
  isBlocked(host: string): boolean;
  /** Calls `listener` after each change of a list, whose hosts are blocked by then. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Decides which hosts new destinations may have: by host lists, and by a filtering resolver if there is one. A host is
 * accepted if the resolver does not answer.
 */
export interface Screening {
  /** Returns the first of the hosts that is blocked, or null. */
  firstBlocked(hosts: readonly string[]): Promise<string | null>;
  /** Returns all of the hosts that are blocked. */
  allBlocked(hosts: readonly string[]): Promise<Set<string>>;
}
