import type { OAuthProvider } from "@terse/server";
import * as client from "openid-client";
import * as z from "zod";
import { type Provider, providerTimeout, titleOf } from "./provider.ts";

/** GitHub is an OAuth 2 server without discovery or ID tokens; its API identifies the user. */
export interface GitHubEndpoints {
  /** As in the `iss` parameter (RFC 9207) */
  issuer: string;
  authorize: string;
  token: string;
  api: string;
}

/** Endpoints of github.com, or of a GitHub Enterprise Server at `base`. */
function gitHubEndpoints(base: string | null): GitHubEndpoints {
  const site = base?.replace(/\/+$/, "") ?? "https://github.com";
  const issuer = `${site}/login/oauth`;
  return {
    issuer,
    authorize: `${issuer}/authorize`,
    token: `${issuer}/access_token`,
    api: base === null ? "https://api.github.com" : `${site}/api/v3`,
  };
}

const user = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function gitHubProvider(
  { name, issuer: base, clientId, clientSecret }: OAuthProvider,
  endpoints: GitHubEndpoints = gitHubEndpoints(base),
): Provider {
  const { issuer, authorize, token, api } = endpoints;
  const server = { issuer, authorization_endpoint: authorize, token_endpoint: token };
  const configuration = new client.Configuration(server, clientId, clientSecret);
  configuration.timeout = providerTimeout;
  if (issuer.startsWith("http:")) client.allowInsecureRequests(configuration); // settings allow only loopback

  async function read<T>(path: string, accessToken: string, schema: z.ZodType<T>): Promise<T> {
    const url = new URL(api + path);
    const headers = new Headers({ Accept: "application/vnd.github+json" });
    const response = await client.fetchProtectedResource(
      configuration,
      accessToken,
      url,
      "GET",
      undefined,
      headers,
    );
    if (!response.ok) throw new client.ClientError(`${url.href} answered ${response.status}`);
    const answer = schema.safeParse(await response.json().catch(() => undefined));
    if (!answer.success) throw new client.ClientError(`${url.href} returned unexpected data`);
    return answer.data;
  }

  return {
    name,
    title: titleOf(name),
    async authorizationUrl({ state, challenge }, redirectUri) {
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "read:user user:email",
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
      });
    },
    async identify({ state, verifier }, callback) {
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const { access_token } = await client.authorizationCodeGrant(configuration, callback, checks);
      const person = await read("/user", access_token, user);
      const addresses = await read("/user/emails", access_token, emails);
      const primary = addresses.find((address) => address.primary && address.verified);
      return {
        provider: name,
        issuer,
        subject: String(person.id),
        email: primary?.email ?? null,
        email_verified: primary !== undefined,
        name: person.name || person.login,
      };
    },
  };
}
