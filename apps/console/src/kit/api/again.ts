import { useSyncExternalStore } from "react";

/** Why the service wants a new sign-in, as it says it; null if it does not. */
let reason: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  reason = next;
  for (const listener of listeners) listener();
}

/** Asks the person to sign in again; the screen stays as it is meanwhile. */
export const askToSignInAgain = (why: string): void => set(why);
export const stopAsking = (): void => set(null);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSignInReason = (): string | null => useSyncExternalStore(subscribe, () => reason);
