import { TRPCError } from "@trpc/server";
import { type Issue, issue, type IssueCode, sentenceOf } from "./issues.ts";
import type { Scope } from "./names.ts";

/** All error codes of operations, a subset of tRPC's, and their HTTP status (RFC 9110 section 15). */
export const statusByCode = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof statusByCode;

/** What an error says that names no issue itself */
const usualIssues: Readonly<Record<ErrorCode, IssueCode>> = {
  BAD_REQUEST: "invalid",
  UNAUTHORIZED: "unauthenticated",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  CONFLICT: "conflict",
  PRECONDITION_FAILED: "changed_meanwhile",
  PAYLOAD_TOO_LARGE: "body_too_large",
  UNSUPPORTED_MEDIA_TYPE: "wrong_media_type",
  UNPROCESSABLE_CONTENT: "unprocessable",
  TOO_MANY_REQUESTS: "rate_limited",
  INTERNAL_SERVER_ERROR: "internal",
  SERVICE_UNAVAILABLE: "unavailable",
};

/**
 * An error for the caller. Its message is one sentence that names the field and the fix: the first issue's.
 */
export class AppError extends TRPCError {
  override readonly name = "AppError";
  /** Everything that is wrong, at least one */
  readonly issues: readonly Issue[];
  /** Seconds until a retry may succeed; only with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** The scope that the API key lacks; only with 403. */
  readonly scope: Scope | undefined;
  /** The sign-in must be at most this many seconds old; only with 403. */
  readonly maxAge: number | undefined;

  constructor(
    code: ErrorCode,
    said: string | Issue | readonly Issue[],
    options: {
      retryAfter?: number | undefined;
      scope?: Scope | undefined;
      maxAge?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    const { retryAfter } = options;
    const usual = (message: string) =>
      issue("", usualIssues[code], message, retryAfter === undefined ? undefined : { seconds: retryAfter });
    const issues = typeof said === "string" ? [usual(said)] : [said].flat();
    super({ code, message: issues.map(sentenceOf)[0] ?? code, cause: options.cause });
    this.issues = issues;
    this.retryAfter = retryAfter;
    this.scope = options.scope;
    this.maxAge = options.maxAge;
  }
}

/** An error with one issue: see `issue`. */
export const refusal = (code: ErrorCode, ...said: Parameters<typeof issue>): AppError =>
  new AppError(code, issue(...said));

/** Refusals of what is sent, which do not keep further checks from being made */
const collected: ReadonlySet<string> = new Set<ErrorCode>(["BAD_REQUEST", "FORBIDDEN", "CONFLICT"]);

/** Makes all checks, one after the other. If some refuse, throws the error of the first one, with the issues of all. */
export async function checkEach(...checks: readonly (() => unknown)[]): Promise<void> {
  const refusals: AppError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof AppError && collected.has(error.code))) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (first === undefined) return;
  const issues = refusals.flatMap((each) => each.issues);
  throw refusals.length === 1 ? first : new AppError(first.code as ErrorCode, issues, first);
}

/** For callers without a credential, where one is needed; `field` needs it. */
export const unauthenticated = (field = "") =>
  new AppError(
    "UNAUTHORIZED",
    issue(
      field,
      "unauthenticated",
      "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
    ),
  );

export const notFound = (what: string) =>
  new AppError("NOT_FOUND", issue("", "not_found", `${what} not found`, { resource: what.toLowerCase() }));

/** How often an operation starts again because of concurrent changes, before it gives up with `concurrentChange`. */
export const maxAttempts = 5;

/** For operations that concurrent changes prevented; nothing was written. */
export const concurrentChange = (cause?: unknown) =>
  new AppError(
    "SERVICE_UNAVAILABLE",
    issue("", "concurrent_change", "Another change was made at the same time; try again", { seconds: 1 }),
    { retryAfter: 1, cause },
  );

/** For every transport that takes keys. */
export const invalidKey = () =>
  new AppError("UNAUTHORIZED", "The API key is not valid: it may have been revoked or mistyped");

/** For every transport that takes access tokens. */
export const invalidToken = () =>
  new AppError(
    "UNAUTHORIZED",
    "The access token is not valid: it may have expired, be for another address, or its connection has ended",
  );

/** The message of an error; of an AggregateError, one error for each address tried, that of the first. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
