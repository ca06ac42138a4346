import { toFailure } from "@terse/core";
import { failureHeaders } from "@terse/server";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { MessageError } from "./message.ts";

/** From the range that JSON-RPC 2.0 leaves to implementations; the HTTP status shows the kind of error. */
const serverError = -32000;

/** Answers a request that fails before the protocol handles it, as a JSON-RPC error without an id. */
export function errorResponse(c: Context, error: unknown, headers: Record<string, string> = {}): Response {
  const failure = toFailure(error);
  const { status, message, issues } = failure;
  // The request log records the cause of a 5xx; the client never sees it.
  if (status >= 500 && error instanceof Error) c.error = error;
  const code = error instanceof MessageError ? error.rpcCode : serverError;
  const body = { jsonrpc: "2.0", error: { code, message, data: { issues } }, id: null };
  return c.json(body, status as ContentfulStatusCode, { ...failureHeaders(failure), ...headers });
}
