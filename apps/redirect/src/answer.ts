import { type Decision, type PasswordAttempts, toFailure } from "@terse/core/redirect";
import { failureHeaders, rateLimitHeaders } from "@terse/server";
import type { Answer } from "./plain-answer.ts";
import { bucketPage, gonePage, messagePage, notFoundPage, passwordPage } from "./pages/index.ts";

/** The one place where a decision becomes an answer. `submitted`: the password form was sent, not the link opened. */
export async function answerTo(decision: Decision, submitted = false): Promise<Answer> {
  switch (decision.kind) {
    case "redirect":
      return redirectTo(decision.location, submitted ? 303 : 302);
    case "bucket":
      return bucketPage(decision.link_id, decision.page);
    case "password":
      return passwordPage(decision.wrong);
    case "gone":
      return gonePage(decision.reason);
    case "not_found":
      return notFoundPage();
    default:
      return decision satisfies never;
  }
}

/** Never cached, so that an edit holds at once; not indexed, so that search engines list the destination instead. */
export const redirectHeaders = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Content-Length": "0",
};

function redirectTo(location: string, status: 302 | 303): Answer {
  return { status, headers: { Location: location, ...redirectHeaders }, body: null };
}

/** Refuses a method; `allowed` is the Allow header (RFC 9110 section 10.2.1). */
export async function methodNotAllowed(allowed: string): Promise<Answer> {
  const page = await messagePage(405, "That does not work here", "A short link can only be opened.");
  return { ...page, headers: { ...page.headers, Allow: allowed } };
}

/** Refuses more password guesses for `wait` seconds. */
export async function tooManyGuesses(
  { points, seconds }: Pick<PasswordAttempts, "points" | "seconds">,
  wait: number,
): Promise<Answer> {
  const minutes = Math.ceil(wait / 60);
  const howLong = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const page = await messagePage(
    429,
    "Too many wrong passwords",
    `Wait ${howLong}, then open the link and try again.`,
  );
  const headers = {
    ...page.headers,
    ...failureHeaders({ status: 429, retryAfter: wait }),
    ...rateLimitHeaders({ policy: "guesses", limit: points, remaining: 0, window: seconds, reset: wait }),
  };
  return { ...page, headers };
}

/** Refuses a form that is none, or is larger than any password. */
export const badForm = (status: 413 | 415): Promise<Answer> =>
  messagePage(status, "That could not be read", "Open the link again and type the password into its form.");

/** What the visitor hears of a failure of ours: nothing internal. */
export async function failed(error: unknown): Promise<Answer> {
  const { status, retryAfter = 2 } = toFailure(error);
  if (status !== 503) {
    return messagePage(500, "Something went wrong", "The fault is ours. Try again in a moment.");
  }
  const page = await messagePage(
    503,
    "Back in a moment",
    "This link cannot be looked up right now. Try again.",
  );
  return { ...page, headers: { ...page.headers, ...failureHeaders({ status, retryAfter }) } };
}
