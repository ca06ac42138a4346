import type { CoreEvent } from "../../kernel/events.ts";
import { toHostName } from "./host-name.ts";
import type { HostLists } from "./screening.types.ts";
import { watchHostList } from "./watched-host-list.ts";

export interface HostListsOptions {
  /** Files, each a host list */
  paths: readonly string[];
  onEvent: (event: CoreEvent) => void;
  /** How often the files are looked at; default 2 s */
  pollMs?: number;
}

/** What `URL.hostname` gives is in this form already. */
const isNormal = /^[a-z0-9._-]*$/;

export function createHostLists({ paths, onEvent, pollMs = 2000 }: HostListsOptions): HostLists {
  const listeners: (() => void)[] = [];
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  const lists = paths.map((path) => watchHostList({ path, pollMs, onEvent, onChange }));

  return {
    async start() {
      await Promise.all(lists.map((list) => list.start()));
    },
    isBlocked(host) {
      if (lists.length === 0) return false;
      const name = isNormal.test(host) ? host : toHostName(host);
      return name !== null && lists.some(({ hosts }) => hosts.covers(name));
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      await Promise.all(lists.map((list) => list.close()));
    },
  };
}
