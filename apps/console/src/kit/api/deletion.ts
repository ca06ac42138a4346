import { createStore } from "../store.ts";
import { ask, type Refusal } from "./fetch.ts";
import { say } from "../toasts.tsx";

export interface Deletion {
  /** The ids of things that the user has deleted, and that lists no longer show. */
  useDeleted(): ReadonlySet<string>;
  /** Hides things, and deletes them when the message has gone, unless the user takes it back. Nothing is lost by an undo. */
  deleteLater(idOrIds: string | readonly string[], sentence: string): void;
}

/**
 * Deletion that can be undone. `remove` deletes things for good, also while the tab closes, and returns why something is
 * still there, or null; `refresh` asks for their lists again.
 */
export function createDeletion(
  remove: (ids: readonly string[]) => Promise<string | null>,
  refresh: () => Promise<unknown>,
): Deletion {
  /** What is hidden until its deletion can no longer be undone */
  const hidden = createStore<ReadonlySet<string>>(new Set());
  const show = (ids: readonly string[]) =>
    hidden.set(new Set([...hidden.get()].filter((id) => !ids.includes(id))));

  async function deleteNow(ids: readonly string[]): Promise<void> {
    const reason = await remove(ids);
    if (reason !== null) say(reason);
    await refresh();
    // What could not be deleted is there again.
    show(ids);
  }

  return {
    useDeleted: hidden.use,
    deleteLater(idOrIds, sentence) {
      const ids = [idOrIds].flat();
      hidden.set(new Set([...hidden.get(), ...ids]));
      say(
        sentence,
        () => show(ids),
        () => void deleteNow(ids),
      );
    },
  };
}

/**
 * Sends a request that a closing tab still finishes (`keepalive`, Fetch Standard). Returns the error of a refusal; what is
 * gone already is none. `refusalIn` finds one in an answer that is no error.
 */
export async function lastRequest(
  path: string,
  init: RequestInit,
  refusalIn: (data: unknown) => string | null = () => null,
): Promise<string | null> {
  try {
    const response = await ask(path, { ...init, keepalive: true });
    if (response.status === 204) return null;
    return refusalIn(((await response.json()) as { data?: unknown }).data);
  } catch (error) {
    const { status, message } = error as Partial<Refusal> & Error;
    return status === 404 ? null : message;
  }
}
