import { useSyncExternalStore } from "react";
import { api, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";

/** Pages that are hidden until their deletion can no longer be undone, with what will delete them. */
let waiting: ReadonlyMap<string, ReturnType<typeof setTimeout>> = new Map();
const listeners = new Set<() => void>();
const undoableFor = 8000;

function change(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The pages that the user has deleted, by id; the list no longer shows them. */
export const useDeletedBuckets = () => useSyncExternalStore(subscribe, () => waiting);

/** Hides a page, and deletes it after eight seconds unless the user takes it back. Nothing is lost by an undo. */
export function deleteLater(id: string, sentence: string): void {
  const timer = setTimeout(() => void deleteNow(id), undoableFor);
  change(new Map([...waiting, [id, timer]]));
  say(sentence, () => {
    clearTimeout(timer);
    show(id);
  });
}

const show = (id: string) => change(new Map([...waiting].filter(([each]) => each !== id)));

async function deleteNow(id: string): Promise<void> {
  // A closing tab does not wait for an answer: `keepalive` lets the request finish (Fetch Standard).
  const response = await fetch(`/v1/buckets/${id}`, { method: "DELETE", keepalive: true }).catch(() => null);
  if (response && !response.ok && response.status !== 404) {
    const { error } = (await response.json()) as { error: string };
    say(error);
  }
  await queryClient.invalidateQueries(api.buckets.pathFilter());
  show(id);
}

// A tab that closes carries out what it still holds back.
addEventListener("pagehide", () => {
  for (const id of waiting.keys()) void deleteNow(id);
});
