import { useSyncExternalStore } from "react";

/** How far an account is with its first steps in this browser. */
export type Progress =
  /** Nothing shortened yet */
  | { at: "shorten" }
  /** This link is to be shared, then clicked */
  | { at: "share" | "watch"; link: string }
  /** Finished, or put away */
  | { at: "done" };

const keyOf = (account: string) => `terse.first-steps.${account}`;
const listeners = new Set<() => void>();

function read(stored: string | null): Progress {
  const [at, link] = (stored ?? "").split(" ");
  if ((at === "share" || at === "watch") && link) return { at, link };
  return { at: at === "done" ? "done" : "shorten" };
}

export function store(account: string, progress: Progress): void {
  localStorage.setItem(keyOf(account), "link" in progress ? `${progress.at} ${progress.link}` : progress.at);
  for (const listener of listeners) listener();
}

/** Tabs agree: what one stores, the others see. */
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

export const useProgress = (account: string): Progress =>
  read(useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(account))));
