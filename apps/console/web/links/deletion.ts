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

const show = (ids: readonly string[]) => change(new Set([...hidden].filter((id) => !ids.includes(id))));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of links that the user has deleted, and that lists no longer show. */
export const useDeletedLinks = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden);

/** A sentence about links that could not be deleted; the reason is null if the service did not answer. */
type Failed = (reason: string | null, count: number) => string;

/**
 * Hides links, and deletes them when their toast has gone unless the user takes it back. Nothing is lost by an undo. Links
 * that could not be deleted are shown again, with the first reason.
 */
export function deleteLater(ids: readonly string[], sentence: string, failed: Failed): void {
  change(new Set([...hidden, ...ids]));
  say(
    sentence,
    () => show(ids),
    () => void deleteNow(ids, failed),
  );
}

/** All requests leave at once: a closing tab makes no later ones. */
async function deleteNow(ids: readonly string[], failed: Failed): Promise<void> {
  const answers = await Promise.all(ids.map(deleteOne));
  const kept = answers.filter((answer) => answer !== "deleted");
  if (kept[0]) {
    show(ids.filter((_, at) => answers[at] !== "deleted"));
    say(failed(kept[0].reason, kept.length));
  }
  await queryClient.invalidateQueries(api.links.pathFilter());
}

async function deleteOne(id: string): Promise<"deleted" | { reason: string | null }> {
  try {
    // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
    const path = `/v1/links/${encodeURIComponent(id)}`;
    const response = await fetch(path, { method: "DELETE", keepalive: true });
    if (response.ok || response.status === 404) return "deleted";
    return { reason: ((await response.json()) as { error: string }).error };
  } catch {
    return { reason: null };
  }
}
