import { useSyncExternalStore } from "react";
import { queryClient, api } from "../api.ts";
import { say } from "../frame/toasts.tsx";

/** Links that are hidden until their deletion can no longer be undone. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function change(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

const show = (id: string) => change(new Set([...hidden].filter((each) => each !== id)));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of links that the user has deleted, and that lists no longer show. */
export const useDeletedLinks = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden);

/**
 * Hides a link, and deletes it when its toast has gone unless the user takes it back. Nothing is lost by an undo. `failed`
 * puts the reason into a sentence if it could not be deleted; the link is shown again.
 */
export function deleteLater(id: string, sentence: string, failed: (reason: string | null) => string): void {
  change(new Set([...hidden, id]));
  say(
    sentence,
    () => show(id),
    () => void deleteNow(id, failed),
  );
}

async function deleteNow(id: string, failed: (reason: string | null) => string): Promise<void> {
  try {
    // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
    const path = `/v1/links/${encodeURIComponent(id)}`;
    const response = await fetch(path, { method: "DELETE", keepalive: true });
    if (!response.ok && response.status !== 404) {
      const { error } = (await response.json()) as { error: string };
      show(id);
      say(failed(error));
    }
  } catch {
    show(id); // no answer
    say(failed(null));
  }
  await queryClient.invalidateQueries(api.links.pathFilter());
}
