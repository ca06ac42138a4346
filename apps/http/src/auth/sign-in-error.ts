import { toFailure } from "@terse/core";
import * as client from "openid-client";

/** Why a sign-in failed, as shown to the user. */
export interface SignInError {
  status: number;
  title: string;
  sentence: string;
  /** Whole seconds after which a retry may work */
  retryAfter?: number | undefined;
}

export const lostAttempt: SignInError = {
  status: 400,
  title: "This sign-in is no longer valid",
  sentence: "It was started in another browser, already completed, or took too long. Please start again.",
};

export const unknownProvider: SignInError = {
  status: 404,
  title: "Unknown provider",
  sentence: "No sign-in provider with this name is set up here.",
};

export const notFromHere: SignInError = {
  status: 403,
  title: "Not available from here",
  sentence: "Sign-in links work only on the machine that runs the service, and not through a proxy.",
};

export const notByHttps: SignInError = {
  status: 403,
  title: "Not available from here",
  sentence: "Sign-in links work only at the https address of this service.",
};

export const usedUp: SignInError = {
  status: 403,
  title: "This link no longer works",
  sentence:
    "A sign-in link works once and expires after a few minutes. The admin command login-link creates another one.",
};

/** Turns any error of a provider login into a message: 4xx if the login was rejected, 5xx if the provider failed. */
export function toSignInError(error: unknown, provider: string): SignInError {
  if (error instanceof client.AuthorizationResponseError) return providerError(error.error, provider);
  if (error instanceof client.ResponseBodyError) {
    return error.error === "invalid_grant" ? invalidResponse(provider) : misconfigured(provider);
  }
  if (error instanceof client.ClientError) return clientError(error, provider);
  // Thrown by fetch if there is no response at all; the database client throws no TypeError.
  if (error instanceof TypeError && error.message === "fetch failed") return unreachable(provider);
  const { status, message, retryAfter } = toFailure(error);
  switch (status) {
    case 409:
      return {
        status,
        title: "This e-mail address already has an account",
        sentence: `${message.replace(/^email: /, "")}.`,
      };
    case 503:
      return {
        status,
        title: "Back in a moment",
        sentence: "Sign-in is not available right now. Please try again.",
        retryAfter,
      };
    default:
      if (status < 500) return { status, title: "Sign-in failed", sentence: `${message}.` };
      return {
        status: 500,
        title: "Something went wrong",
        sentence: "Sorry, this is a problem on our side. Please try again later.",
      };
  }
}

/** An error that the provider returned to the browser (RFC 6749 section 4.1.2.1). */
function providerError(error: string, provider: string): SignInError {
  if (error === "temporarily_unavailable") return unreachable(provider);
  if (error === "server_error") return misconfigured(provider);
  const cancelled = error === "access_denied";
  return {
    status: 403,
    title: cancelled ? "Sign-in was cancelled" : `${provider} denied the sign-in`,
    sentence: cancelled
      ? `You cancelled, or ${provider} denied access.`
      : "Please try again, or sign in another way.",
  };
}

/** An error that the library found; its code tells whether the response or the request failed. */
function clientError({ code }: client.ClientError, provider: string): SignInError {
  switch (code) {
    case "OAUTH_TIMEOUT":
      return unreachable(provider);
    case "OAUTH_INVALID_RESPONSE":
      return invalidResponse(provider);
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
    case "OAUTH_KEY_SELECTION_FAILED":
      return {
        status: 403,
        title: `${provider} sent an invalid response`,
        sentence: "It was not issued for this service, or it has expired. You were not signed in.",
      };
    default:
      return misconfigured(provider);
  }
}

const invalidResponse = (provider: string): SignInError => ({
  status: 400,
  title: "This sign-in is no longer valid",
  sentence: `The response from ${provider} is invalid or was already used. Please start again.`,
});

const misconfigured = (provider: string): SignInError => ({
  status: 502,
  title: `Sign-in with ${provider} is not working`,
  sentence: `This service and ${provider} could not complete the sign-in. If it keeps failing, please contact the operator of this service.`,
});

const unreachable = (provider: string): SignInError => ({
  status: 503,
  title: `${provider} cannot be reached`,
  sentence: "You cannot sign in with it right now. Please try again in a moment.",
  retryAfter: 5,
});

/** Reduces an error to its messages and codes for the log; its details may contain personal data. */
export function forLog(error: unknown): Error {
  const texts: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    const named = (at as { error?: unknown }).error; // the error code of RFC 6749
    const parts = [at.message, code, named, issuersIn(at.cause)];
    texts.push(parts.filter((text) => typeof text === "string" && text).join(" "));
  }
  return new Error(texts.join(": ") || "unknown failure");
}

/** What the library expected as the issuer, and what it got: in a token, in an answer, or in the metadata. */
function issuersIn(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  const { expected, claim, attribute, claims, body, parameters } = cause as Record<string, unknown>;
  const isOfIssuer = claim === "iss" || attribute === "issuer" || parameters instanceof URLSearchParams;
  if (!isOfIssuer || typeof expected !== "string") return undefined;
  const got =
    parameters instanceof URLSearchParams
      ? parameters.get("iss")
      : ((claims as { iss?: unknown } | undefined)?.iss ??
        (body as { issuer?: unknown } | undefined)?.issuer);
  return `(expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)})`;
}
