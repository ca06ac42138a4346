import { useSyncExternalStore } from "react";
import { queryClient, api } from "../api.ts";
import { say } from "../frame/toasts.tsx";

/** Links that are hidden until their deletion can no longer be undone. */
let hidden: ReadonlySet<string> = new Set();
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
const undoableFor = 8000;

function change(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of links that the user has deleted, and that lists no longer show. */
export const useDeletedLinks = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden);

/** Hides a link, and deletes it after eight seconds unless the user takes it back. Nothing is lost by an undo. */
export function deleteLater(id: string, sentence: string): void {
  change(new Set([...hidden, id]));
  waiting.set(
    id,
    setTimeout(() => void deleteNow(id), undoableFor),
  );
  say(sentence, () => {
    clearTimeout(waiting.get(id));
    waiting.delete(id);
    change(new Set([...hidden].filter((each) => each !== id)));
  });
}

async function deleteNow(id: string): Promise<void> {
  waiting.delete(id);
  // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
  const response = await fetch(`/v1/links/${encodeURIComponent(id)}`, { method: "DELETE", keepalive: true });
  if (!response.ok && response.status !== 404) {
    change(new Set([...hidden].filter((each) => each !== id)));
    const { error } = (await response.json()) as { error: string };
    say(error);
  }
  await queryClient.invalidateQueries(api.links.pathFilter());
}

// A tab that closes carries out what it still holds back.
addEventListener("pagehide", () => {
  for (const id of waiting.keys()) void deleteNow(id);
});
