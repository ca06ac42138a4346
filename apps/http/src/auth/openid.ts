import type { OAuthProvider } from "@terse/server";
import * as client from "openid-client";
import { ttlCache } from "./ttl-cache.ts";
import { type Provider, providerTimeout, titleOf } from "./provider.ts";

const hour = 3600 * 1000;

/** Any OpenID provider, known by its issuer alone (OpenID Connect Discovery 1.0); code flow with PKCE and nonce. */
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
      // Some keep the address out of ID tokens (Core 1.0, section 5.4); it is then taken together with its proof.
      const elsewhere = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
      const said = elsewhere
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
      return {
        provider: name,
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof said.email === "string" ? said.email : null,
        email_verified: said.email_verified === true,
        name: typeof said.name === "string" ? said.name : null,
      };
    },
  };
}

type Configurations = [client.Configuration, ...client.Configuration[]];

/**
 * What the issuer says of itself, with each way to show our secret that it supports. Which of them it wants of us was
 * decided when we were registered, and nothing tells: the first is OAuth's own default.
 */
async function discover(settings: OAuthProvider & { issuer: string }): Promise<Configurations> {
  const server = new URL(settings.issuer);
  const options = {
    execute: [
      client.enableNonRepudiationChecks, // the ID token's signature too, not only how it came
      ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []), // settings allow only loopback
    ],
    timeout: providerTimeout,
  };
  const showing = (way: client.ClientAuth) =>
    client.discovery(server, settings.clientId, settings.clientSecret, way, options);

  const basic = await showing(client.ClientSecretBasic(settings.clientSecret));
  const supported = basic.serverMetadata().token_endpoint_auth_methods_supported;
  if (!supported?.includes("client_secret_post")) return [basic];
  const post = await showing(client.ClientSecretPost(settings.clientSecret));
  return supported.includes("client_secret_basic") ? [basic, post] : [post];
}

/** Exchanges the code for tokens. A provider that does not take us in one way has not looked at the code yet. */
async function redeem(
  [configuration, ...others]: Configurations,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<[client.Configuration, Awaited<ReturnType<typeof client.authorizationCodeGrant>>]> {
  try {
    return [configuration, await client.authorizationCodeGrant(configuration, callback, { ...checks })];
  } catch (error) {
    const stranger = error instanceof client.ResponseBodyError && error.error === "invalid_client";
    const [next, ...rest] = others;
    if (!stranger || !next) throw error;
    return redeem([next, ...rest], callback, checks);
  }
}
