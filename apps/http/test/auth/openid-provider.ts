import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthProvider } from "@terse/server";
import { type OidcContext, Provider } from "oidc-provider";
import { afterAll } from "vitest";

export interface OpenIdOptions {
  redirectUris: string[];
  clientAuth?: "client_secret_basic" | "client_secret_post";
  /** Puts e-mail address and name into the ID token, where the specification makes them optional */
  claimsInIdToken?: boolean;
  /** What it says of everyone besides, under the scope `profile` */
  claims?: Record<string, unknown>;
}

/** A certified OpenID provider on this machine that accepts any name: "ada" is ada@example.com. */
export async function startOpenIdProvider(
  options: OpenIdOptions,
): Promise<OAuthProvider & { issuer: string }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(request, response);
    else void callback(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const settings = {
    name: "oidc",
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: "terse",
    clientSecret: "a secret with spaces & signs: +%",
  };
  const provider = new Provider(settings.issuer, configurationOf(settings, options));
  const callback = provider.callback();
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The provider's login page; "nobody" cancels. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      response.setHeader("Content-Type", "text/html");
      response.end(
        `<title>Provider</title><link rel="icon" href="data:,"><form method="post"><input name="who" aria-label="Who"><button>Go</button></form>`,
      );
      return;
    }
    let body = "";
    for await (const text of request) body += String(text);
    const accountId = new URLSearchParams(body).get("who");
    const result = accountId === "nobody" ? { error: "access_denied" } : { login: { accountId } };
    await provider.interactionFinished(request, response, result);
  }
  return settings;
}

function configurationOf(settings: OAuthProvider, options: OpenIdOptions) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        redirect_uris: options.redirectUris,
        token_endpoint_auth_method: options.clientAuth ?? "client_secret_basic",
      },
    ],
    claims: { email: ["email", "email_verified"], profile: ["name", "groups", "realm_access"] },
    conformIdTokenClaims: !options.claimsInIdToken,
    cookies: { keys: ["a key for tests"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: true,
        name: `${id} of OpenID`,
        ...options.claims,
      }),
    }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] },
    async loadExistingGrant({ oidc: { provider, client, session } }: OidcContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  };
}
