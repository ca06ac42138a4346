import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { backgroundLoop } from "../concurrency/background-loop.ts";
import { type CoreEvent, coreEvent } from "../kernel/events.ts";
import { BrokenHostList, readHostList } from "./host-list.ts";
import { emptyHostSet, type HostSet } from "./host-set.ts";

export interface WatchedHostList {
  /** The hosts of the file's last good version; none before it was read */
  readonly hosts: HostSet;
  /** Resolves once the file was read or found unreadable, and looks at it again and again from then on. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface HostListFile {
  path: string;
  pollMs: number;
  onEvent: (event: CoreEvent) => void;
  onChange: () => void;
}

/** A file that has changed is read when it has stayed the same for this long: a writer may not be done with it. */
const settleMs = 1000;

/** Reads a host list whenever its file changes. A broken or missing file leaves what was read before in use. */
export function watchHostList({ path, pollMs, onEvent, onChange }: HostListFile): WatchedHostList {
  let hosts = emptyHostSet;
  /** The version of the file that `hosts` and `broken` come from */
  let known: string | null = null;
  /** Why that version was refused */
  let broken: BrokenHostList | null = null;

  async function look(): Promise<number> {
    const version = await settledVersion();
    if (version === known) {
      if (broken !== null) throw broken;
      return pollMs;
    }
    const list = await readHostList(path, loop.signal).catch((error: unknown) => {
      if (error instanceof BrokenHostList) [known, broken] = [version, error];
      throw error;
    });
    if ((await versionOf(path)) !== version) {
      list.hosts.release();
      return look();
    }
    const former = hosts;
    [hosts, known, broken] = [list.hosts, version, null];
    former.release();
    const { skippedLines: skipped_lines } = list;
    onEvent(coreEvent("host_list_read", { list: path, hosts: hosts.size, skipped_lines }));
    onChange();
    return pollMs;
  }

  /** The first version is read at once: until then nothing is blocked. */
  async function settledVersion(): Promise<string> {
    let version = await versionOf(path);
    while (known !== null && version !== known) {
      await sleep(settleMs, undefined, { signal: loop.signal, ref: false });
      const former = version;
      version = await versionOf(path);
      if (version === former) break;
    }
    return version;
  }

  const loop = backgroundLoop({
    runOnce: look,
    retryMs: pollMs,
    keepsProcessAlive: false,
    onFailure(error) {
      if (loop.signal.aborted) return;
      onEvent(coreEvent("host_list_failing", { list: path, hosts: hosts.size, err: error }));
    },
    onRecovery: () => onEvent(coreEvent("host_list_restored", { list: path })),
  });

  return {
    get hosts() {
      return hosts;
    },
    async start() {
      await look().catch(() => {}); // the loop looks again at once, and reports the failure
      loop.start();
    },
    close: () => loop.stop(),
  };
}

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(path);
  return [ino, size, mtimeMs, ctimeMs].join(" ");
}
