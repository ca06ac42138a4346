import { toFailure } from "@terse/core";
import { failureHeaders, problemOf, problemType, type ServerEnv, wantsProblem } from "@terse/server";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { sendText } from "./compression.ts";

/** The shape of every JSON response under /v1: on success `error` is null, on failure `data` and `meta` are. */
export function success(
  c: Context,
  status: 200 | 201 | 202,
  data: unknown,
  meta: unknown = null,
): Promise<Response> {
  return sendText(c, JSON.stringify({ data, error: null, meta }), status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
  });
}

/**
 * Turns any thrown value into the envelope, or into problem details (RFC 9457) for a client that wants them, with the headers of
 * its status.
 */
export function failure(c: Context<ServerEnv>, error: unknown): Response {
  const failed = toFailure(error);
  // The request log records the cause of a 5xx; the client never sees it.
  if (failed.status >= 500 && error instanceof Error) c.error = error;
  const isProblem = wantsProblem(c.req.header("accept"));
  const { requestId, errorsUrl } = c.var;
  const body = isProblem
    ? problemOf(failed, requestId, errorsUrl)
    : { data: null, error: failed.message, meta: null };
  return c.body(JSON.stringify(body), failed.status as ContentfulStatusCode, {
    "Content-Type": isProblem ? problemType : "application/json",
    "Cache-Control": "no-store",
    ...(isProblem && { Vary: "Accept" }),
    ...failureHeaders(failed),
  });
}

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
