import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { stringsNow } from "../../words/strings.tsx";
import { askToSignInAgain } from "./again.ts";
import { ask, type Refusal } from "./fetch.ts";
import { useServicePasskeys } from "./providers.ts";

/** Whether this browser and the service have passkeys; undefined until that is known. */
export function usePasskeysWork(): boolean | undefined {
  const service = useServicePasskeys();
  return "PublicKeyCredential" in window ? service : false;
}

/** Loaded when a passkey is asked for. */
const webAuthn = () => import("@simplewebauthn/browser");

interface SignIn {
  /** Whether only a passkey of the signed-in account will do */
  isAgain: boolean;
  returnTo: string;
}

/** Signs this browser in with a passkey that the person chooses. Returns where to go, which may be a page before `returnTo`. */
export const signInWithPasskey = (signIn: SignIn): Promise<string> => inWords(() => authenticate(signIn));

/** Milliseconds after which passkeys are offered anew: a challenge ends after five minutes */
export const offerMs = 4 * 60_000;

/**
 * Has the browser offer passkeys in the field whose `autocomplete` ends with `webauthn`. Returns as above once one is chosen;
 * null if the browser cannot, or when another sign-in begins.
 */
export async function offerPasskeys(returnTo: string): Promise<string | null> {
  const { browserSupportsWebAuthnAutofill } = await webAuthn();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  return authenticate({ isAgain: false, returnTo }, true).catch((error: Partial<Refusal>) => {
    if (error.data) throw error;
    return null;
  });
}

async function authenticate({ isAgain, returnTo }: SignIn, useBrowserAutofill = false): Promise<string> {
  const purpose = isAgain ? "again" : "sign_in";
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>("options", { for: purpose });
  const { startAuthentication } = await webAuthn();
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill });
  const { next } = await post<{ next: string }>("verify", { for: purpose, response, return_to: returnTo });
  return next;
}

/** Makes a passkey for the signed-in account. */
export const addPasskey = (): Promise<{ id: string; name: string }> =>
  inWords(async () => {
    const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>("options", { for: "add" });
    const { startRegistration } = await webAuthn();
    const response = await startRegistration({ optionsJSON });
    return post("verify", { for: "add", response });
  });

async function post<Data>(path: "options" | "verify", body: object): Promise<Data> {
  const headers = { "Content-Type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await ask(`/auth/passkey/${path}`, request).catch((error: Partial<Refusal>) => {
    const isStale = error.data?.issues.some(({ code }) => code === "sign_in_again");
    if (!isStale) throw error;
    askToSignInAgain(error.message ?? "");
    // The reason is shown where the sign-in is asked for.
    throw Object.assign(error, { data: { ...error.data, max_age: 0 } });
  });
  return ((await answer.json()) as { data: Data }).data;
}

/** Has errors of the browser say in the viewer's language what happened. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { signIn } = stringsNow();
    const { name } = error as Error;
    // The browser says no more than this, so that pages learn nothing about people's passkeys.
    if (name === "NotAllowedError" || name === "AbortError")
      throw new Error(signIn.passkeyCancelled, { cause: error });
    if (name === "InvalidStateError") throw new Error(signIn.passkeyIsHere, { cause: error });
    throw error;
  }
}
