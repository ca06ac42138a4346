import { type Decision, type RateLimitState, type RedirectStatus, toFailure } from "@terse/core/redirect";
import { bucketPage, failureHeaders, rateLimitHeaders, renderPasswordPage } from "@terse/server";
import { linkPreviewPage } from "./pages/link-preview.ts";
import { gonePage, messagePage, notFoundPage } from "./pages/message.ts";
import type { Visit } from "./visit.ts";

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

/** Whom an answer is for; the language is found out when a page needs it. */
export type Reader = Pick<Visit, "words">;

/**
 * Turns every kind of decision into its answer. `submitted`: the request sent the password form; `shortUrl`: the requested
 * one, without forwarded parts.
 */
export async function answerTo(
  decision: Decision,
  reader: Reader,
  { submitted = false, shortUrl = "" }: { submitted?: boolean; shortUrl?: string } = {},
): Promise<Answer> {
  switch (decision.kind) {
    case "redirect":
      return redirectTo(decision.location, submitted ? 303 : (decision.status ?? 302));
    case "link_preview":
      return linkPreviewPage(reader.words, decision.preview, shortUrl);
    case "bucket":
      return bucketPage(decision.link_id, decision.page, reader.words);
    case "password":
      // It redirects to the destination, which the policy cannot list.
      return renderPasswordPage(reader.words, "link", { wrong: decision.wrong, form: "anywhere" });
    case "gone":
      return gonePage(reader.words, decision.reason);
    case "not_found":
      return notFoundPage(reader.words);
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
export async function methodNotAllowed({ words }: Reader, allowed: string): Promise<Answer> {
  const page = await messagePage(405, words, words.links.notAllowed);
  return { ...page, headers: { ...page.headers, Allow: allowed } };
}

/** The 429 answer to password attempts beyond a limit. */
export async function tooManyAttempts({ words }: Reader, limit: RateLimitState): Promise<Answer> {
  const page = await messagePage(429, words, {
    title: words.password.tooMany,
    text: words.again(limit.reset),
  });
  const headers = {
    ...page.headers,
    ...failureHeaders({ status: 429, retryAfter: limit.reset }),
    ...rateLimitHeaders(limit),
  };
  return { ...page, headers };
}

/** The answer to a body that is not a form (415) or is larger than what its fields hold (413). */
export const badForm = ({ words }: Reader, status: 413 | 415): Promise<Answer> =>
  messagePage(status, words, words.links.badForm);

/** The answer to an unexpected error. It contains no internal details. */
export async function failed({ words }: Reader, error: unknown): Promise<Answer> {
  const { status, retryAfter = 2 } = toFailure(error);
  if (status !== 503) return messagePage(500, words, words.ourFault);
  const page = await messagePage(503, words, words.links.unavailable);
  return { ...page, headers: { ...page.headers, ...failureHeaders({ status, retryAfter }) } };
}
