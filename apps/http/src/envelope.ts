import { toFailure } from "@terse/core";
import { failureHeaders } from "@terse/server";
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

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
