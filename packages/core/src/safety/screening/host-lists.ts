import { watchFile } from "../../kernel/async/watched-file.ts";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import { BrokenHostList, readHostList } from "./host-list.ts";
import { toHostName } from "./host-name.ts";
import { emptyHostSet } from "./host-set.ts";
import type { HostLists } from "./screening.ts";

interface HostListsOptions {
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
  const lists = paths.map(watchHostList);

  /** Reads a host list whenever its file changes. */
  function watchHostList(path: string) {
    const list = { hosts: emptyHostSet };
    const file = watchFile({
      path,
      pollMs,
      read: (signal) => readHostList(path, signal),
      isBroken: (error) => error instanceof BrokenHostList,
      use({ hosts, skippedLines: skipped_lines }) {
        list.hosts.release();
        list.hosts = hosts;
        onEvent(coreEvent("host_list_read", { list: path, hosts: hosts.size, skipped_lines }));
        for (const listener of listeners) listener();
      },
      discard: ({ hosts }) => hosts.release(),
      onFailure: (err) =>
        onEvent(coreEvent("host_list_failing", { list: path, hosts: list.hosts.size, err })),
      onRecovery: () => onEvent(coreEvent("host_list_restored", { list: path })),
    });
    return { list, file };
  }

  return {
    async start() {
      await Promise.all(lists.map(({ file }) => file.start()));
    },
    isBlocked(host) {
      if (lists.length === 0) return false;
      const name = isNormal.test(host) ? host : toHostName(host);
      return name !== null && lists.some(({ list }) => list.hosts.covers(name));
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      await Promise.all(lists.map(({ file }) => file.close()));
    },
  };
}
