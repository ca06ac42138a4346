import { useSyncExternalStore } from "react";
import { queryClient, api } from "../api.ts";
import { say } from "../frame/toasts.tsx";

/** Links that are hidden until their deletion can no longer be undone. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
/** Requests that are under way at once */
const atOnce = 4;

function change(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

const show = (ids: readonly string[]) => change(new Set([...hidden].filter((id) => !ids.includes(id))));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of links that the user has deleted, and that lists no longer show. */
export const useDeletedLinks = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden);

/** Hides links, and deletes them when the message has gone, unless the user takes it back. Nothing is lost by an undo. */
export function deleteLater(idOrIds: string | readonly string[], sentence: string): void {
  const ids = [idOrIds].flat();
  change(new Set([...hidden, ...ids]));
  say(
    sentence,
    () => show(ids),
    (isClosing) => void deleteNow(ids, isClosing),
  );
}

async function deleteNow(ids: readonly string[], isClosing: boolean): Promise<void> {
  // A closing tab has no time for a second request after the first one.
  const step = isClosing ? ids.length : atOnce;
  let reason: string | null = null;
  for (let at = 0; at < ids.length; at += step) {
    const answers = await Promise.all(ids.slice(at, at + step).map(deleteOne));
    reason ??= answers.find((answer) => answer !== null) ?? null;
  }
  if (reason !== null) say(reason);
  await queryClient.invalidateQueries(api.links.pathFilter());
  // A link that could not be deleted is there again.
  show(ids);
}

/** Returns why a link was not deleted; null if it is gone. */
async function deleteOne(id: string): Promise<string | null> {
  try {
    // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
    const path = `/v1/links/${encodeURIComponent(id)}`;
    const response = await fetch(path, { method: "DELETE", keepalive: true });
    if (response.ok || response.status === 404) return null;
    return ((await response.json()) as { error: string }).error;
  } catch (error) {
    return (error as Error).message;
  }
}
