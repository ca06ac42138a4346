/** A host that links must not lead to. */
export interface BlockedHost {
  host: string;
  /** What blocks it: the name of a file, or the filtering resolver */
  list: string;
}

/** Host lists from files. Hosts are spelled as `URL.hostname` does. */
export interface HostLists {
  /** Reads the lists, then again whenever a file changes. Resolves once each was read or found unreadable. */
  start(): Promise<void>;
  /** Returns whether a list has the host or a domain above it. Asks nobody. */
  isBlocked(host: string): boolean;
  /** Returns the name of the first list that has the host or a domain above it, or null. */
  listOf(host: string): string | null;
  /** Calls `listener` after each change of a list, whose hosts are blocked by then. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** Decides which hosts links may lead to: by host lists, and by a filtering resolver where there is one. */
export interface Screening extends HostLists {
  /** Returns the first of the hosts that is blocked. A host is accepted where the filtering resolver does not answer. */
  check(hosts: readonly string[]): Promise<BlockedHost | null>;
  /** Returns all of the hosts that are blocked, each with what blocks it. */
  findBlocked(hosts: readonly string[]): Promise<Map<string, string>>;
}
