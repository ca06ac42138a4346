import { AppError, type ErrorCode, toFailure } from "@terse/core";
import { failureHeaders, type ServerEnv } from "@terse/server";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

export const mediaType = "application/scim+json";

/** What a 400 is about, for programs (RFC 7644, table 9). */
export type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany";

/** A refusal of the protocol. */
export class ScimError extends AppError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string) {
    super("BAD_REQUEST", message);
    this.scimType = scimType;
  }
}

/** The keyword of an error that the core made. */
function keywordOf(error: unknown): string | undefined {
  if (error instanceof ScimError) return error.scimType;
  if (!(error instanceof AppError)) return undefined;
  const code: string = error.code;
  if (code === ("CONFLICT" satisfies ErrorCode)) return "uniqueness";
  if (code !== ("BAD_REQUEST" satisfies ErrorCode)) return undefined;
  const [issue] = error.issues;
  return issue?.code === "conflict" ? "mutability" : "invalidValue";
}

/** Any thrown value as the message of an error (RFC 7644, section 3.12). */
export function scimFailure(c: Context<ServerEnv>, error: unknown): Response {
  const failed = toFailure(error);
  // The request log records the cause of a 5xx; the client never sees it.
  if (failed.status >= 500 && error instanceof Error) c.error = error;
  const scimType = keywordOf(error);
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(failed.status),
    ...(scimType && { scimType }),
    detail: failed.message,
  };
  return scimAnswer(c, failed.status, body, failureHeaders(failed));
}

export const scimAnswer = (
  c: Context,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response =>
  c.body(JSON.stringify(body), status as ContentfulStatusCode, {
    "Content-Type": mediaType,
    "Cache-Control": "no-store",
    ...headers,
  });
