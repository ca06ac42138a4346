import { basename } from "node:path";
import type { CoreEvent } from "../kernel/events.ts";
import { toHostName } from "./host-name.ts";
import type { HostLists } from "./screening.types.ts";
import { watchHostList } from "./watched-host-list.ts";

export interface HostListsOptions {
  /** Files, each a host list */
  paths: readonly string[];
  onEvent: (event: CoreEvent) => void;
  /** How often the files are looked at; default 10 s */
  pollMs?: number;
}

/** What `URL.hostname` gives is in this form already. */
const isNormal = /^[a-z0-9._-]*$/;

export function createHostLists({ paths, onEvent, pollMs = 10_000 }: HostListsOptions): HostLists {
  const listeners: (() => void)[] = [];
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  const lists = paths.map((path) => ({
    name: basename(path),
    watched: watchHostList({ path, pollMs, onEvent, onChange }),
  }));

  function listOf(host: string): string | null {
    if (lists.length === 0) return null;
    const name = isNormal.test(host) ? host : toHostName(host);
    if (name === null) return null;
    for (const list of lists) if (list.watched.hosts.covers(name)) return list.name;
    return null;
  }

  return {
    async start() {
      await Promise.all(lists.map(({ watched }) => watched.start()));
    },
    listOf,
    isBlocked: (host) => listOf(host) !== null,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      await Promise.all(lists.map(({ watched }) => watched.close()));
    },
  };
}
