import type { OAuthProvider } from "@terse/server";
import * as client from "openid-client";
import { ttlCache } from "./ttl-cache.ts";
import { type Provider, providerTimeout, titleOf } from "./provider.ts";

const hour = 3600 * 1000;

/** Any OpenID provider, configured by its issuer (OpenID Connect Discovery 1.0); code flow with PKCE and nonce. */
export function openIdProvider(settings: OAuthProvider & { issuer: string }): Provider {
  const { name } = settings;
  const configurations = ttlCache(() => discover(settings), hour);

  return {
    name,
    title: titleOf(name),
    async authorizationUrl({ state, nonce, challenge }, redirectUri) {
      const [configuration] = await configurations();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
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
      // Some providers omit the address from ID tokens (Core 1.0, section 5.4); userinfo has it, with email_verified.
      const needsUserInfo = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
      const profile = needsUserInfo
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
      return {
        provider: name,
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof profile.email === "string" ? profile.email : null,
        email_verified: profile.email_verified === true,
        name: typeof profile.name === "string" ? profile.name : null,
      };
    },
  };
}

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
