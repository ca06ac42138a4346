import { toFailure } from "@terse/core";
import type { Words } from "@terse/server";
import * as client from "openid-client";
import { type Sentence, sentenceOf } from "./pages/sentence.ts";

/** Why a sign-in failed, as shown to the user. */
export interface SignInError extends Sentence {
  status: number;
  title: string;
  /** Whole seconds after which a retry may work */
  retryAfter?: number | undefined;
}

export const lostAttempt = ({ signIn }: Words): SignInError => ({ status: 400, ...signIn.lost });

export const unknownProvider = ({ signIn }: Words): SignInError => ({
  status: 404,
  ...signIn.unknownProvider,
});

/** Turns any error of a provider login into a message: 4xx if the login was rejected, 5xx if the provider failed. */
export function toSignInError(words: Words, error: unknown, provider: string): SignInError {
  if (error instanceof client.AuthorizationResponseError) return providerError(words, error.error, provider);
  if (error instanceof client.ResponseBodyError) {
    return error.error === "invalid_grant" ? usedResponse(words, provider) : misconfigured(words, provider);
  }
  if (error instanceof client.ClientError) return clientError(words, error, provider);
  // Thrown by fetch if there is no response at all; the database client throws no TypeError.
  if (error instanceof TypeError && error.message === "fetch failed") return unreachable(words, provider);
  const failure = toFailure(error);
  const { status, retryAfter } = failure;
  if (status === 503) return { status, ...words.signIn.unavailable, retryAfter };
  if (status >= 500) return { status: 500, ...words.ourFault };
  const title = status === 409 ? words.signIn.taken : words.signIn.failed;
  return { status, title, ...sentenceOf(words, failure) };
}

/** An error that the provider returned to the browser (RFC 6749 section 4.1.2.1). */
function providerError(words: Words, error: string, provider: string): SignInError {
  if (error === "temporarily_unavailable") return unreachable(words, provider);
  if (error === "server_error") return misconfigured(words, provider);
  const { cancelled, denied } = words.signIn;
  return { status: 403, ...(error === "access_denied" ? cancelled : denied)(provider) };
}

/** An error that the library found; its code shows whether the response or the request failed. */
function clientError(words: Words, { code }: client.ClientError, provider: string): SignInError {
  switch (code) {
    case "OAUTH_TIMEOUT":
      return unreachable(words, provider);
    case "OAUTH_INVALID_RESPONSE":
      return usedResponse(words, provider);
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
    case "OAUTH_KEY_SELECTION_FAILED":
      return { status: 403, ...words.signIn.invalid(provider) };
    default:
      return misconfigured(words, provider);
  }
}

const usedResponse = ({ signIn }: Words, provider: string): SignInError => ({
  status: 400,
  ...signIn.used(provider),
});

const misconfigured = ({ signIn }: Words, provider: string): SignInError => ({
  status: 502,
  ...signIn.misconfigured(provider),
});

const unreachable = ({ signIn }: Words, provider: string): SignInError => ({
  status: 503,
  ...signIn.unreachable(provider),
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
