import type { OAuthProvider } from "@terse/server";
import * as client from "openid-client";
import { claimAt, groupsIn } from "./groups.ts";
import { ttlCache } from "./ttl-cache.ts";
import { type Provider, providerTimeout, titleOf } from "./provider.ts";

const hour = 3600 * 1000;

/** Any OpenID provider, configured by its issuer (OpenID Connect Discovery 1.0); code flow with PKCE and nonce. */
export function openIdProvider(
  settings: OAuthProvider & { issuer: string },
  groupsClaim: string | null = null,
): Provider {
  const { name } = settings;
  const configurations = ttlCache(() => discover(settings), hour);

  return {
    name,
    title: titleOf(name),
    async authorizationUrl({ state, nonce, challenge }, redirectUri) {
      const [configuration] = await configurations();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopeOf(configuration, groupsClaim !== null),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
      });
    },
    async identify({ state, nonce, verifier }, callback) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const [configuration, tokens] = await redeem(await configurations(), callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error("The provider sent no ID token");
      const profile = await profileOf(configuration, claims, tokens.access_token, groupsClaim);
      return {
        provider: name,
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof profile.email === "string" ? profile.email : null,
        email_verified: isVerified(profile),
        name: typeof profile.name === "string" ? profile.name : null,
        groups: profile.groups,
      };
    },
  };
}

/** Okta and Dex send groups only to those who ask for them. */
function scopeOf(configuration: client.Configuration, readsGroups: boolean): string {
  const { scopes_supported: supported } = configuration.serverMetadata();
  const usual = "openid email profile";
  return readsGroups && supported?.includes("groups") ? `${usual} groups` : usual;
}

interface Profile {
  email?: unknown;
  email_verified?: unknown;
  /** Entra ID's optional claim: whether the tenant has proven that it owns the domain of the address */
  xms_edov?: unknown;
  name?: unknown;
}

/** Cognito, JumpCloud and Authelia send `email_verified` as text, Entra ID sends `xms_edov` as a number, too. */
const isVerified = ({ email_verified, xms_edov }: Profile): boolean =>
  email_verified === true ||
  email_verified === "true" ||
  [true, "true", 1, "1"].some((yes) => yes === xms_edov);

/**
 * Some providers omit the address from ID tokens, whether it is verified (Core 1.0, section 5.4), or the groups; userinfo has
 * them. Address and verification are never taken from two sources: one may have verified another address than the one in the
 * other. The groups are unknown if userinfo is needed for them and does not answer.
 */
async function profileOf(
  configuration: client.Configuration,
  claims: Profile & { sub: string },
  token: string,
  groupsClaim: string | null,
): Promise<Profile & { groups?: string[] | undefined }> {
  const groupsOf = (source: object): string[] | undefined => {
    const value = groupsClaim === null ? [] : claimAt({ ...source }, groupsClaim);
    return value === undefined ? undefined : groupsIn(value);
  };
  const saysVerified = claims.email_verified !== undefined || claims.xms_edov !== undefined;
  const hasAddress = claims.email !== undefined && saysVerified;
  const groups = groupsOf(claims);
  if (!configuration.serverMetadata().userinfo_endpoint) return { ...claims, groups: groups ?? [] };
  if (hasAddress && groups) return { ...claims, groups };
  try {
    const found: Profile = await client.fetchUserInfo(configuration, token, claims.sub);
    const all = groups ?? groupsOf(found) ?? [];
    if (hasAddress) return { ...claims, groups: all };
    const name = found.name ?? claims.name;
    // Userinfo without an address speaks of the only one that there is.
    return found.email === undefined ? { ...claims, ...found, groups: all } : { ...found, name, groups: all };
  } catch (error) {
    // Some accounts need no verified address.
    if (claims.email !== undefined) return { ...claims, groups };
    throw error;
  }
}

/** Providers that sign userinfo do not all say with which algorithms; they are those of ID tokens then. */
const fetchWithDefaults: client.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (!response.ok || !new URL(url).pathname.includes("/.well-known/")) return response;
  const metadata = (await response.json()) as client.ServerMetadata;
  const { id_token_signing_alg_values_supported: algorithms = ["RS256"] } = metadata;
  return Response.json({ userinfo_signing_alg_values_supported: algorithms, ...metadata }, response);
};

type Configurations = [client.Configuration, ...client.Configuration[]];

/**
 * Discovers the issuer. Returns one configuration for each client authentication method that it supports, OAuth's
 * default first: which one it expects was chosen when the client was registered, and cannot be queried.
 */
async function discover(settings: OAuthProvider & { issuer: string }): Promise<Configurations> {
  const server = new URL(settings.issuer);
  const options = {
    execute: [
      client.enableNonRepudiationChecks, // verify the ID token's signature, not only the TLS connection
      ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []), // settings allow only loopback
    ],
    timeout: providerTimeout,
    [client.customFetch]: fetchWithDefaults,
  };
  const discoverWith = (method: client.ClientAuth) =>
    client.discovery(server, settings.clientId, settings.clientSecret, method, options);

  const basic = await discoverWith(client.ClientSecretBasic(settings.clientSecret));
  const supported = basic.serverMetadata().token_endpoint_auth_methods_supported;
  if (!supported?.includes("client_secret_post")) return [basic];
  const post = await discoverWith(client.ClientSecretPost(settings.clientSecret));
  return supported.includes("client_secret_basic") ? [basic, post] : [post];
}

/** Exchanges the code for tokens. A provider that rejects the authentication method has not used the code yet. */
async function redeem(
  [configuration, ...others]: Configurations,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<[client.Configuration, Awaited<ReturnType<typeof client.authorizationCodeGrant>>]> {
  try {
    return [configuration, await client.authorizationCodeGrant(configuration, callback, { ...checks })];
  } catch (error) {
    const unauthenticated = error instanceof client.ResponseBodyError && error.error === "invalid_client";
    const [next, ...rest] = others;
    if (!unauthenticated || !next) throw error;
    return redeem([next, ...rest], callback, checks);
  }
}
