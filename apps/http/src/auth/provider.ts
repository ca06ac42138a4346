import type { Identity } from "@terse/core";
import type { Attempt } from "./attempt.ts";

/** A sign-in provider. It throws on failure; `toSignInError` turns errors into messages. */
export interface Provider {
  readonly name: string;
  /** Display name: "Google" */
  readonly title: string;
  /** Returns the URL that the browser is sent to. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<URL>;
  /** Returns who signed in. `callback` is the redirect URI with the parameters that the provider added. */
  identify(attempt: Attempt, callback: URL): Promise<Identity>;
}

/** Timeout of a request to a provider, in seconds. */
export const providerTimeout = 5;

const titles: Record<string, string> = {
  auth0: "Auth0",
  github: "GitHub",
  gitlab: "GitLab",
  linkedin: "LinkedIn",
};

/** Returns a provider's display name: a known spelling, or the configured name with capitals. */
export const titleOf = (name: string): string =>
  titles[name] ??
  name.replaceAll(/(^|_+)(\w)/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase());
