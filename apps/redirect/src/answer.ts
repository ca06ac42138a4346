import { type Decision, type RateLimitState, type RedirectStatus, toFailure } from "@terse/core/redirect";
import { bucketPage, failureHeaders, rateLimitHeaders } from "@terse/server";
import { linkPreviewPage } from "./pages/link-preview.ts";
import { gonePage, messagePage, notFoundPage } from "./pages/message.ts";
import { passwordPage } from "./pages/password.ts";

/** An HTTP response as plain data. */
export interface Answer {
  readonly status:
    | 200
    | 301
    | 302
    | 303
    | 307
    | 308
    | 400
    | 403
    | 404
    | 405
    | 410
    | 413
    | 415
    | 429
    | 500
    | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/**
 * Turns every kind of decision into its answer. `submitted`: the request sent the password form; `shortUrl`: what was
 * requested, without what the link forwards.
 */
export async function answerTo(
  decision: Decision,
  { submitted = false, shortUrl = "" }: { submitted?: boolean; shortUrl?: string } = {},
): Promise<Answer> {
  switch (decision.kind) {
    case "redirect":
      return redirectTo(decision.location, submitted ? 303 : (decision.status ?? 302));
    case "link_preview":
      return linkPreviewPage(decision.preview, shortUrl);
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

/**
 * Not cached, whatever the status: an edit takes effect at once, and every visit is counted. Not indexed, so search engines
 * list the destination instead.
 */
export const redirectHeaders = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Content-Length": "0",
};

export function redirectTo(location: string, status: RedirectStatus | 303 = 302): Answer {
  return { status, headers: { Location: location, ...redirectHeaders }, body: null };
}

/** The 405 answer; `allowed` is the Allow header (RFC 9110 section 10.2.1). */
export async function methodNotAllowed(allowed: string): Promise<Answer> {
  const page = await messagePage(405, "That is not possible here", "A short link can only be opened.");
  return { ...page, headers: { ...page.headers, Allow: allowed } };
}

/** The 429 answer to password attempts beyond a limit. */
export async function tooManyAttempts(limit: RateLimitState): Promise<Answer> {
  const minutes = Math.ceil(limit.reset / 60);
  const duration = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const page = await messagePage(429, "Too many passwords", `Please try again in ${duration}.`);
  const headers = {
    ...page.headers,
    ...failureHeaders({ status: 429, retryAfter: limit.reset }),
    ...rateLimitHeaders(limit),
  };
  return { ...page, headers };
}

/** The answer to a body that is not a form (415) or is larger than what its fields hold (413). */
export const badForm = (status: 413 | 415): Promise<Answer> =>
  messagePage(status, "We could not read that", "Open the link again and use the form on its page.");

/** The answer to an unexpected error. It contains no internal details. */
export async function failed(error: unknown): Promise<Answer> {
  const { status, retryAfter = 2 } = toFailure(error);
  if (status !== 503) {
    return messagePage(
      500,
      "Something went wrong",
      "Sorry, this is a problem on our side. Please try again in a moment.",
    );
  }
  const page = await messagePage(
    503,
    "Back in a moment",
    "We cannot look up this link right now. Please try again.",
  );
  return { ...page, headers: { ...page.headers, ...failureHeaders({ status, retryAfter }) } };
}
