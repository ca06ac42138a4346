import { type WatchedFile, watchFile } from "../../kernel/async/watched-file.ts";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import { BrokenHostList, readHostList } from "./host-list.ts";
import { toHostName } from "./host-name.ts";
import { emptyHostSet, type HostSet } from "./host-set.ts";
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

interface WatchedHostList extends WatchedFile {
  /** The hosts of the file's last good version; none before it was read */
  readonly hosts: HostSet;
}

interface HostListFile {
  path: string;
  pollMs: number;
  onEvent: (event: CoreEvent) => void;
  onChange: () => void;
}

/** Reads a host list whenever its file changes. */
function watchHostList({ path, pollMs, onEvent, onChange }: HostListFile): WatchedHostList {
  let hosts = emptyHostSet;
  const file = watchFile({
    path,
    pollMs,
    read: (signal) => readHostList(path, signal),
    isBroken: (error) => error instanceof BrokenHostList,
    use({ hosts: next, skippedLines: skipped_lines }) {
      const former = hosts;
      hosts = next;
      former.release();
      onEvent(coreEvent("host_list_read", { list: path, hosts: hosts.size, skipped_lines }));
      onChange();
    },
    discard: (list) => list.hosts.release(),
    onFailure: (err) => onEvent(coreEvent("host_list_failing", { list: path, hosts: hosts.size, err })),
    onRecovery: () => onEvent(coreEvent("host_list_restored", { list: path })),
  });
  return {
    ...file,
    get hosts() {
      return hosts;
    },
  };
}
