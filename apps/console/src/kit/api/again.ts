import { createStore } from "../store.ts";

/** Why the service wants a new sign-in, as it says it; null if it does not. */
const reason = createStore<string | null>(null);

/** Asks the person to sign in again; the screen stays as it is meanwhile. */
export const askToSignInAgain = (why: string): void => reason.set(why);
export const stopAsking = (): void => reason.set(null);

export const useSignInReason = (): string | null => reason.use();
