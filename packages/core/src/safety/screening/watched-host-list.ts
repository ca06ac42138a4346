import { type WatchedFile, watchFile } from "../../kernel/async/watched-file.ts";
import { type CoreEvent, coreEvent } from "../../kernel/events.ts";
import { BrokenHostList, readHostList } from "./host-list.ts";
import { emptyHostSet, type HostSet } from "./host-set.ts";

export interface WatchedHostList extends WatchedFile {
  /** The hosts of the file's last good version; none before it was read */
  readonly hosts: HostSet;
}

export interface HostListFile {
  path: string;
  pollMs: number;
  onEvent: (event: CoreEvent) => void;
  onChange: () => void;
}

/** Reads a host list whenever its file changes. */
export function watchHostList({ path, pollMs, onEvent, onChange }: HostListFile): WatchedHostList {
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
