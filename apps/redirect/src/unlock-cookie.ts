import type { UnlockToken } from "@terse/core/redirect";
import { cookieOf, setCookie } from "./cookies.ts";
import type { Visit } from "./visit.ts";

const name = "terse_pass";

/** Returns the unlock token that this browser received for the right password, if any. */
export const unlockTokenOf = (visit: Visit): string | undefined => cookieOf(visit, name);

/** Stores an unlock token in the browser, for this short URL only. */
export const setUnlockCookie = (visit: Visit, { value, seconds }: UnlockToken, secure: boolean): void =>
  setCookie(visit, name, value, { seconds, secure });
