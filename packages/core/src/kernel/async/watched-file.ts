import { open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { backgroundLoop } from "./background-loop.ts";

export interface WatchedFile {
  /** Resolves once the file was read or found unreadable, and looks at it again and again from then on. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedFileOptions<T> {
  path: string;
  /** Milliseconds between two looks */
  pollMs: number;
  read(signal: AbortSignal): Promise<T>;
  /** Whether an error of `read` is due to the contents: these are not read again until the file changes. */
  isBroken(error: unknown): boolean;
  /** Called with a version of the file that did not change while it was read. */
  use(contents: T): void;
  /** Called instead of `use` if it did change. */
  discard?(contents: T): void;
  /** Called when the file cannot be read, and when it can be read again. */
  onFailure(error: unknown): void;
  onRecovery(): void;
}

/** A changed file is read once it has stayed the same for this long: its writer may not have finished. */
const settleMs = 1000;

/** Reads a file whenever it changes. While the file is broken or missing, the last good version stays in use. */
export function watchFile<T>(options: WatchedFileOptions<T>): WatchedFile {
  const { path, pollMs, read, isBroken, use, discard } = options;
  /** The version of the file that is in use or broken */
  let known: string | null = null;
  /** Why that version was refused; null if it was not */
  let refusal: { error: unknown } | null = null;

  async function look(): Promise<number> {
    const version = await settledVersion();
    if (version === known) {
      if (refusal !== null) throw refusal.error;
      return pollMs;
    }
    const contents = await read(loop.signal).catch((error: unknown) => {
      if (isBroken(error)) [known, refusal] = [version, { error }];
      throw error;
    });
    if ((await versionOf(path)) !== version) {
      discard?.(contents);
      return look();
    }
    [known, refusal] = [version, null];
    use(contents);
    return pollMs;
  }

  /** The first version is read at once, since nothing is in use yet. */
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
    onFailure(error) {
      if (!loop.signal.aborted) options.onFailure(error);
    },
    onRecovery: () => options.onRecovery(),
  });

  return {
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

/** Makes the names in a folder survive a power failure (fsync(2) of the folder); some file systems cannot, which is not an error. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
