import type { Identity } from "@terse/core";
import type { Attempt } from "./attempt.ts";

/** Somewhere that people can sign in. Whatever goes wrong in it is thrown; `refusalOf` puts it into words. */
export interface Provider {
  readonly name: string;
  /** For people: "Google" */
  readonly title: string;
  /** Where the browser goes to sign in. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<URL>;
  /** Who came back to `callback`, the redirect URI with what the provider added to it. */
  identify(attempt: Attempt, callback: URL): Promise<Identity>;
}

/** How long one request to a provider may take, in seconds. */
export const providerTimeout = 5;

const titles: Record<string, string> = {
  auth0: "Auth0",
  github: "GitHub",
  gitlab: "GitLab",
  linkedin: "LinkedIn",
};

/** A provider's name for people: known spellings, else the configured name with capitals. */
export const titleOf = (name: string): string =>
  titles[name] ??
  name.replaceAll(/(^|_+)(\w)/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase());
