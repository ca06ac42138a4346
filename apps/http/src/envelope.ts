import { type Failure, type Reply, toFailure } from "@terse/core";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The one shape of every JSON answer under /v1: on success `error` is null, on failure the other two are. */
export function success(c: Context, status: 200 | 201, data: unknown, meta: unknown = null): Response {
  return c.json({ data, error: null, meta }, status, { "Cache-Control": "no-store" });
}

/** Turns anything thrown into the envelope and the headers that belong to its status. */
export function failure(c: Context, error: unknown): Response {
  const refusal = toFailure(error);
  // The request log writes the cause of a 5xx; the client never sees it.
  if (refusal.status >= 500 && error instanceof Error) c.error = error;
  return c.json({ data: null, error: refusal.message, meta: null }, refusal.status as ContentfulStatusCode, {
    "Cache-Control": "no-store",
    ...failureHeaders(refusal),
  });
}

/** RFC 6750 section 3 for 401, RFC 9110 section 10.2.3 for Retry-After. */
export function failureHeaders({
  status,
  retryAfter,
}: Pick<Failure, "status" | "retryAfter">): Record<string, string> {
  return {
    ...(status === 401 && { "WWW-Authenticate": 'Bearer realm="terse"' }),
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  };
}

/** Where the caller stands with its rate limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitHeaders({ rateLimit }: Reply): Record<string, string> {
  if (!rateLimit) return {};
  const { policy, limit, remaining, window, reset } = rateLimit;
  return {
    "RateLimit-Policy": `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  };
}

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
