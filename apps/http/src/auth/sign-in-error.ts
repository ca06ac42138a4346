import { toFailure } from "@terse/core";
import * as client from "openid-client";

/** Why somebody was not signed in, for them to read. */
export interface SignInError {
  status: number;
  title: string;
  sentence: string;
  /** Whole seconds after which the same may work */
  retryAfter?: number | undefined;
}

export const lostAttempt: SignInError = {
  status: 400,
  title: "This sign-in cannot go on",
  sentence:
    "It was started in another browser, is finished already, or was left alone for too long. Start again.",
};

export const unknownProvider: SignInError = {
  status: 404,
  title: "No such provider",
  sentence: "Nobody can sign in with a provider of this name here.",
};

export const notFromHere: SignInError = {
  status: 403,
  title: "Not from here",
  sentence: "Sign-in links work only on the machine that runs the service, without a proxy between.",
};

export const usedUp: SignInError = {
  status: 403,
  title: "This link no longer works",
  sentence: "A sign-in link works once, within 15 minutes. The admin command login-link makes another.",
};

/** Puts whatever came of a login at a provider into words; 4xx where it was refused, 5xx where it could not be asked. */
export function toSignInError(error: unknown, provider: string): SignInError {
  if (error instanceof client.AuthorizationResponseError) return answered(error.error, provider);
  if (error instanceof client.ResponseBodyError) {
    return error.error === "invalid_grant" ? stale(provider) : notWorking(provider);
  }
  if (error instanceof client.ClientError) return broken(error, provider);
  // What fetch throws when there is no answer at all; the database's client throws no TypeError.
  if (error instanceof TypeError && error.message === "fetch failed") return away(provider);
  const { status, message, retryAfter } = toFailure(error);
  switch (status) {
    case 409:
      return {
        status,
        title: "This address has an account already",
        sentence: `${message.replace(/^email: /, "")}.`,
      };
    case 503:
      return {
        status,
        title: "Back in a moment",
        sentence: "Nobody can sign in right now. Try again.",
        retryAfter,
      };
    default:
      if (status < 500) return { status, title: "That did not work", sentence: `${message}.` };
      return { status: 500, title: "Something went wrong", sentence: "The fault is ours. Try again later." };
  }
}

/** The provider's own answer to the browser (RFC 6749 section 4.1.2.1). */
function answered(error: string, provider: string): SignInError {
  if (error === "temporarily_unavailable") return away(provider);
  if (error === "server_error") return notWorking(provider);
  const cancelled = error === "access_denied";
  return {
    status: 403,
    title: cancelled ? "Sign-in was cancelled" : `${provider} refused`,
    sentence: cancelled
      ? `${provider} did not let you in, or you changed your mind.`
      : `${provider} did not sign you in. Try again, or in another way.`,
  };
}

/** What the library found wrong; its codes say whether with an answer or with getting one. */
function broken({ code }: client.ClientError, provider: string): SignInError {
  switch (code) {
    case "OAUTH_TIMEOUT":
      return away(provider);
    case "OAUTH_INVALID_RESPONSE":
      return stale(provider);
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
    case "OAUTH_KEY_SELECTION_FAILED":
      return {
        status: 403,
        title: `${provider}'s answer is not valid`,
        sentence: "It is not meant for this service, or is out of date. You were not signed in.",
      };
    default:
      return notWorking(provider);
  }
}

const stale = (provider: string): SignInError => ({
  status: 400,
  title: "This sign-in cannot go on",
  sentence: `What came back from ${provider} is not valid, or was used before. Start again.`,
});

const notWorking = (provider: string): SignInError => ({
  status: 502,
  title: `${provider} does not work here`,
  sentence: `Something between this service and ${provider} is not right. If it stays so, tell who runs this service.`,
});

const away = (provider: string): SignInError => ({
  status: 503,
  title: `${provider} cannot be reached`,
  sentence: "Nobody can sign in with it right now. Try again in a moment.",
  retryAfter: 5,
});

/** An error for the log: its messages and codes only, since what they are about is somebody's identity. */
export function forLog(error: unknown): Error {
  const texts: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    const named = (at as { error?: unknown }).error; // RFC 6749's name of an error
    texts.push([at.message, code, named].filter((text) => typeof text === "string" && text).join(" "));
  }
  return new Error(texts.join(": ") || "unknown failure");
}
