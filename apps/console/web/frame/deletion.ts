import { useSyncExternalStore } from "react";
import { say } from "./toasts.tsx";

/** Requests that are under way at once */
const atOnce = 4;

export interface Deletion {
  /** The ids of things that the user has deleted, and that lists no longer show. */
  useDeleted(): ReadonlySet<string>;
  /** Hides things, and deletes them when the message has gone, unless the user takes it back. Nothing is lost by an undo. */
  deleteLater(idOrIds: string | readonly string[], sentence: string): void;
}

/** Deletion that can be undone of the things below a path, such as `/v1/links`; `refresh` asks for their lists again. */
export function createDeletion(path: string, refresh: () => Promise<void>): Deletion {
  /** What is hidden until its deletion can no longer be undone */
  let hidden: ReadonlySet<string> = new Set();
  const listeners = new Set<() => void>();

  function change(next: ReadonlySet<string>): void {
    hidden = next;
    for (const listener of listeners) listener();
  }

  const show = (ids: readonly string[]) => change(new Set([...hidden].filter((id) => !ids.includes(id))));

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  async function deleteNow(ids: readonly string[], isClosing: boolean): Promise<void> {
    // A closing tab has no time for a second request after the first one.
    const step = isClosing ? ids.length : atOnce;
    let reason: string | null = null;
    for (let at = 0; at < ids.length; at += step) {
      const answers = await Promise.all(ids.slice(at, at + step).map((id) => deleteOne(path, id)));
      reason ??= answers.find((answer) => answer !== null) ?? null;
    }
    if (reason !== null) say(reason);
    await refresh();
    // What could not be deleted is there again.
    show(ids);
  }

  return {
    useDeleted: () => useSyncExternalStore(subscribe, () => hidden),
    deleteLater(idOrIds, sentence) {
      const ids = [idOrIds].flat();
      change(new Set([...hidden, ...ids]));
      say(
        sentence,
        () => show(ids),
        (isClosing) => void deleteNow(ids, isClosing),
      );
    },
  };
}

/** Returns why something was not deleted; null if it is gone. */
async function deleteOne(path: string, id: string): Promise<string | null> {
  try {
    // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
    const response = await fetch(`${path}/${encodeURIComponent(id)}`, { method: "DELETE", keepalive: true });
    if (response.ok || response.status === 404) return null;
    return ((await response.json()) as { error: string }).error;
  } catch (error) {
    return (error as Error).message;
  }
}
