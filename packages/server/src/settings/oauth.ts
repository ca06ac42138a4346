import { z } from "zod";
import { isLoopbackHost } from "../network.ts";
import { list } from "./schemas.ts";

/** A configured sign-in provider. `issuer` is null if the provider needs none (GitHub is not an OpenID provider). */
export interface OAuthProvider {
  readonly name: string;
  readonly issuer: string | null;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim with the groups of a person, as its name or a path of names with dots between them */
  readonly groupsClaim?: string;
}

/** Names become part of environment variables and paths. */
export const providerNames = list(
  (item) => (/^[a-z][a-z0-9_]{0,31}$/.test(item) ? item : null),
  "a name of lower-case letters, digits and _",
).refine((names) => new Set(names).size === names.length, { error: "must name each provider once" });

const issuerRule = "must be an https address without query or fragment (http only on a loopback address)";

/** An OpenID Connect issuer (Discovery 1.0, section 2), kept exactly as given, because tokens repeat it literally. */
export const issuer = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    if (!url || /[?#@\s]/.test(text)) return false;
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
  },
  { error: issuerRule },
);

/** The name of a claim, or a path. */
export const claim = z.string().regex(/^[\x21-\x7E]{1,200}$/, {
  error: "must be the name of a claim, or a path such as realm_access.roles",
});

/** Returns the environment variables of provider `name`. */
export function providerVariables(name: string) {
  const prefix = `OAUTH_${name.toUpperCase()}`;
  return {
    issuer: `${prefix}_ISSUER`,
    clientId: `${prefix}_CLIENT_ID`,
    clientSecret: `${prefix}_CLIENT_SECRET`,
    groupsClaim: `${prefix}_GROUPS_CLAIM`,
  } as const;
}

/** Whether an environment variable is the secret of a provider, whatever its name. */
export const isProviderSecret = (variable: string): boolean =>
  /^OAUTH_[A-Z0-9_]+_CLIENT_SECRET$/.test(variable);

/** Whether a provider of this name requires an issuer. */
export const needsIssuer = (name: string) => name !== "github";
