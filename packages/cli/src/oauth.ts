import { ConnectionError } from "@terse/client";
import * as oauth from "openid-client";
import { NotSignedIn, UsageError } from "./command.ts";
import type { Tokens } from "./config.ts";

/** The id by which each service knows this program, and under which its users allow it. */
const clientId = "terse-cli";

/** A token is renewed this many milliseconds before it ends, so that it does not end on its way. */
const margin = 60_000;

/** A sign-in that waits for its user. */
export interface PendingSignIn {
  /** Shown on the page in the browser too, so that the user can compare */
  code: string;
  /** Where the user allows it */
  address: string;
  /** Resolves when the user has allowed it. */
  tokens(): Promise<Tokens>;
}

/**
 * Begins to sign in at a service by its device flow (RFC 8628). `resource` is the address that the tokens will open (RFC 8707);
 * without scopes, the service chooses.
 *
 * @throws {UsageError} if there is no such service at this address
 */
export async function signIn(
  issuer: string,
  resource: string,
  scopes: string | undefined,
): Promise<PendingSignIn> {
  const server = await serverAt(issuer);
  const grant = await oauth
    .initiateDeviceAuthorization(server, { resource, ...(scopes && { scope: scopes }) })
    .catch((error: unknown) => {
      throw explained(error, issuer);
    });
  const address = grant.verification_uri_complete ?? grant.verification_uri;
  if (!/^https?:\/\//.test(address))
    throw new Error(`${issuer} answered with an address that is not a web page`);
  return {
    code: grant.user_code,
    address,
    async tokens() {
      const isOver = AbortSignal.timeout(grant.expires_in * 1000);
      // Without an answer, the next question comes after twice the time (RFC 8628 section 3.5).
      for (let interval = grant.interval ?? 5; ; interval *= 2) {
        try {
          const answer = await oauth.pollDeviceAuthorizationGrant(server, { ...grant, interval }, undefined, {
            signal: isOver,
          });
          return tokensOf(answer, issuer);
        } catch (error) {
          if (isOver.aborted) throw new NotSignedIn("The code has expired; run it again", { cause: error });
          if (!passes(error)) throw explained(error, issuer);
        }
      }
    },
  };
}

/** Exchanges tokens for the next ones. These must be stored at once: the ones before work no longer. */
export async function renewed({ issuer, refresh }: Tokens): Promise<Tokens> {
  const server = await serverAt(issuer);
  try {
    return tokensOf(await oauth.refreshTokenGrant(server, refresh), issuer);
  } catch (error) {
    throw explained(error, issuer);
  }
}

/** Ends a sign-in at the service. */
export async function revoke({ issuer, refresh }: Tokens): Promise<void> {
  const server = await serverAt(issuer);
  await oauth.tokenRevocation(server, refresh).catch((error: unknown) => {
    throw explained(error, issuer);
  });
}

/** The resources that an authorization server can issue tokens for (RFC 9728 section 4). */
export async function resourcesAt(issuer: string): Promise<string[]> {
  const { protected_resources: resources } = (await serverAt(issuer)).serverMetadata();
  return Array.isArray(resources) ? resources.map(String) : [];
}

async function serverAt(issuer: string): Promise<oauth.Configuration> {
  const url = new URL(issuer);
  try {
    return await oauth.discovery(url, clientId, undefined, oauth.None(), {
      algorithm: "oauth2",
      timeout: 10,
      // A service on the user's own machine has no certificate.
      execute: url.protocol === "http:" ? [oauth.allowInsecureRequests] : [],
    });
  } catch (error) {
    if (isUnreachable(error)) throw explained(error, issuer);
    const { body } = ((error as Error).cause ?? {}) as { body?: { issuer?: unknown } };
    throw new UsageError(
      body?.issuer
        ? `The service at ${issuer} calls itself ${JSON.stringify(body.issuer)}; use this address`
        : `${issuer} is not a service that programs can sign in to`,
      { cause: error },
    );
  }
}

function tokensOf(
  { access_token: access, refresh_token: refresh, expires_in: seconds = 0 }: oauth.TokenEndpointResponse,
  issuer: string,
): Tokens {
  if (refresh === undefined) throw new Error(`${issuer} answered without a refresh token`);
  return { issuer, access, refresh, expires: Date.now() + seconds * 1000 - margin };
}

/** There was no answer, as opposed to one that refuses. */
const isUnreachable = (error: unknown) =>
  error instanceof TypeError || (error instanceof oauth.ClientError && error.code === "OAUTH_TIMEOUT");

/** The same request may succeed later. */
const passes = (error: unknown) =>
  isUnreachable(error) ||
  (error instanceof oauth.ResponseBodyError && (error.status === 429 || error.status >= 500));

function explained(error: unknown, issuer: string): Error {
  if (isUnreachable(error))
    return new ConnectionError(`The service at ${issuer} could not be reached`, { cause: error });
  if (!(error instanceof oauth.ResponseBodyError)) return error as Error;
  const { error: code, error_description: description } = error;
  const sentences: Record<string, string> = {
    access_denied: "It was refused in the browser",
    expired_token: "The code has expired; run it again",
    invalid_grant: `The sign-in to ${issuer} has ended`,
  };
  return new NotSignedIn(sentences[code] ?? `${issuer} refused: ${description ?? code}`, { cause: error });
}
