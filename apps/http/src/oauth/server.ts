import { generateKeyPairSync } from "node:crypto";
import type { Core, StoredKind } from "@terse/core";
import { type Logger, rateLimitKey } from "@terse/server";
import { errors, interactionPolicy, type OidcContext, Provider } from "oidc-provider";
import { adapterOf } from "./adapter.ts";
import { documentOf } from "./client-metadata.ts";
import type { ForwardedRequest } from "./exchange.ts";
import { showCodePage, showDonePage, showErrorPage } from "./pages/library-pages.ts";
import { paths } from "./paths.ts";
import type { Resources } from "./resources.ts";

export interface ServerOptions {
  core: Core;
  issuer: string;
  resources: Resources;
  logger: Logger;
}

const minute = 60;
const day = 24 * 60 * minute;

/** Seconds that each kind of object lives. */
const lifetimes = {
  AccessToken: 60 * minute,
  AuthorizationCode: minute,
  DeviceCode: 10 * minute,
  Grant: 365 * day,
  Interaction: 15 * minute,
  RefreshToken: 30 * day,
  Session: 15 * minute,
};

/** The command line, which signs in with a code that its user types elsewhere (RFC 8628). */
const commandLine = {
  client_id: "terse-cli",
  client_name: "Terse on the command line",
  grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  response_types: [],
  redirect_uris: [],
};

const { Check, Prompt } = interactionPolicy;

/** Each request needs consent: nothing is remembered of earlier ones. The consent page answers both prompts. */
const policy = [
  new Prompt(
    { name: "login", requestable: true },
    new Check("not_asked", "The account is not known yet", ({ oidc }) => oidc.result?.login === undefined),
  ),
  new Prompt(
    { name: "consent", requestable: true },
    new Check("not_asked", "The user was not asked yet", ({ oidc }) => oidc.result?.consent === undefined),
  ),
];

const off = { enabled: false };

/** The authorization server (OAuth 2.1). The library decides the protocol; this says what it may do. */
export function createAuthorizationServer({ core, issuer, resources, logger }: ServerOptions): Provider {
  const provider = new Provider(issuer, {
    allowOmittingSingleRegisteredRedirectUri: false,
    adapter: (kind: StoredKind) => adapterOf(core, kind),
    clients: [commandLine],
    clientAuthMethods: ["none"],
    // Programs on machines of users have any loopback port or a scheme of their own; https works for "native" too.
    clientDefaults: {
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
      token_endpoint_auth_method: "none",
    },
    clockTolerance: 15,
    // Our routes add the headers.
    clientBasedCORS: () => true,
    cookies: {
      names: { session: "oauth_form", interaction: "oauth_consent", resume: "oauth_resume" },
      long: { httpOnly: true, sameSite: "lax", path: paths.userCode },
      short: { httpOnly: true, sameSite: "lax" },
    },
    expiresWithSession: async () => false,
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        cacheDuration: { min: 5 * minute, max: 5 * minute },
        async allowFetch({ req }: OidcContext) {
          await core.oauth.limit(
            "metadata",
            rateLimitKey((req as ForwardedRequest).source.address ?? "unknown"),
          );
          return true;
        },
      },
      deviceFlow: {
        enabled: true,
        charset: "base-20",
        mask: "****-****",
        deviceInfo: ({ req }: OidcContext) => ({ address: (req as ForwardedRequest).source.address }),
        userCodeInputSource: showCodePage,
        successSource: showDonePage,
      },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx: OidcContext, _client: unknown, oneOf?: string[]) =>
          oneOf ?? resources.all[0].address,
        getResourceServerInfo(_ctx: OidcContext, address: string) {
          const resource = resources.find(address);
          if (!resource) throw new errors.InvalidTarget(`resource: must be ${resources.all[0].address}`);
          return {
            audience: resource.address,
            scope: resource.scopes.join(" "),
            accessTokenFormat: "opaque",
          };
        },
        useGrantedResource: async () => true,
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx: OidcContext, client: { clientId: string }, token: { clientId: string }) =>
          token.clientId === client.clientId,
      },
      rpInitiatedLogout: off,
      userinfo: off,
    },
    /** Only documents of clients are fetched, see `documentOf`. */
    async fetch(address: string) {
      const url = new URL(address);
      const document = await core.oauth.readClientDocument(url).catch((error: unknown) => {
        logger.info({ host: url.host, err: error }, "the description of a client cannot be read");
        throw error;
      });
      return Response.json(documentOf(document));
    },
    async findAccount(_ctx: OidcContext, id: string) {
      const account = await core.oauth.account(id);
      return account ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
    },
    interactions: { policy, url: (_ctx: OidcContext, { uid }: { uid: string }) => `${paths.consent}/${uid}` },
    issueRefreshToken: async (_ctx: OidcContext, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed("refresh_token"),
    // ID tokens are never issued, because the scope openid is never granted; the library wants a key for them nevertheless.
    jwks: {
      keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })],
    },
    async loadExistingGrant({ oidc }: OidcContext) {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    pkce: { required: () => true },
    renderError: showErrorPage,
    responseTypes: ["code"],
    // Whichever token is revoked, the connection ends.
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: paths.authorize,
      code_verification: paths.userCode,
      device_authorization: paths.device,
      registration: paths.register,
      revocation: paths.revoke,
      token: paths.token,
    },
    ttl: lifetimes,
  });
  const fail = ({ req }: OidcContext, error: Error) => {
    (req as ForwardedRequest).failure = error;
  };
  provider.on("server_error", fail);
  // Errors that the library did not expect; without a listener, Koa writes it to the standard error.
  provider.on("error", (error, ctx) => fail(ctx, error));
  return provider;
}
