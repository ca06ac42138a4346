import { TRPCError } from "@trpc/server";
import * as z from "zod";

/** Every way in which an operation can refuse. Names are tRPC's, so that typed clients see them unchanged. */
export type ErrorCode =
  | "BAD_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_SUPPORTED"
  | "CONFLICT"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "TOO_MANY_REQUESTS"
  | "INTERNAL_SERVER_ERROR"
  | "SERVICE_UNAVAILABLE";

const statusOf: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** A refusal that the caller may read: one human sentence that names the field and the fix. */
export class AppError extends TRPCError {
  override readonly name = "AppError";
  /** Seconds after which the same call may work; only on 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super({ code, message, cause: options.cause });
    this.retryAfter = options.retryAfter;
  }
}

export const notFound = (what: string) => new AppError("NOT_FOUND", `${what} not found`);

/** For every transport that takes keys. */
export const invalidKey = () =>
  new AppError("UNAUTHORIZED", "The API key is not valid: it may have been revoked or mistyped");

/** The output of a schema, or 400 with a sentence for the first thing wrong. */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw new AppError("BAD_REQUEST", describeIssues(result.error.issues));
  return result.data;
}

/** What a transport tells its client about a failure. */
export interface Failure {
  /** HTTP status, RFC 9110 section 15 */
  status: number;
  code: ErrorCode;
  message: string;
  /** Whole seconds for a Retry-After header */
  retryAfter: number | undefined;
}

/**
 * The one place where an error of any origin becomes what a client sees: refusals keep their sentence, invalid input
 * names its field, and everything else says nothing about the inside.
 */
export function toFailure(error: unknown): Failure {
  const failure = (code: ErrorCode, message: string, retryAfter?: number): Failure => ({
    status: statusOf[code],
    code,
    message,
    retryAfter,
  });
  if (error instanceof AppError) {
    return failure(error.code as ErrorCode, error.message, error.retryAfter);
  }
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof AppError) return toFailure(cause);
  if (cause instanceof z.core.$ZodError && !isOutputFailure(error)) {
    return failure("BAD_REQUEST", describeIssues(cause.issues));
  }
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const code = error.code in statusOf ? (error.code as ErrorCode) : "BAD_REQUEST"; // such as PARSE_ERROR
    if (error.message.includes("httpBatchStreamLink")) return failure(code, onlyStreamed);
    return failure(code, transportMessages[code] ?? "The request could not be read");
  }
  if (isDatabaseAway(cause)) {
    return failure("SERVICE_UNAVAILABLE", databaseAway.message, databaseAway.retryAfter);
  }
  return failure("INTERNAL_SERVER_ERROR", "Internal server error");
}

/** The same as an error to throw; the cause stays with it for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, message, retryAfter } = toFailure(error);
  return new AppError(code, message, { cause: error, ...(retryAfter !== undefined && { retryAfter }) });
}

/** What is said while the database is away, and after how many seconds to ask again. */
export const databaseAway = {
  message: "The database cannot be reached; try again shortly",
  retryAfter: 2,
} as const;

/** tRPC's own refusals (malformed batch, unknown procedure) quote input and parser internals; ours do not. */
const transportMessages: Partial<Record<string, string>> = {
  NOT_FOUND: "No such procedure",
  METHOD_NOT_SUPPORTED: "Queries are called with GET, mutations with POST",
  UNSUPPORTED_MEDIA_TYPE: "Content-Type must be application/json",
  PAYLOAD_TOO_LARGE: "The request body is too large",
};

/** tRPC's refusal to put a file that is made while it is sent into an answer that is one piece of JSON. */
const onlyStreamed = "This answer is a stream: ask for it by httpBatchStreamLink, or over REST";

const isOutputFailure = (error: unknown) =>
  error instanceof TRPCError && error.code === "INTERNAL_SERVER_ERROR";

/** One sentence for the first thing wrong with an input, beginning with the field's path. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  // A field that is misspelt is missing, too: its name says more.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return "The input is invalid";
  const field = issue.path.map(String).join(".");
  const expected = issue.code === "invalid_type" ? ` (expected ${issue.expected})` : "";
  if (issue.code === "invalid_type" && issue.message.endsWith(" received undefined")) {
    return field ? `${field} is required${expected}` : `A JSON object is required`;
  }
  const text = issue.message.replace(/^Invalid input: /, "");
  return field ? `${field}: ${text}` : text;
}

const awayCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "53100", // disk_full
  "53300", // too_many_connections
  "57014", // query_canceled, for its time limit
  "25006", // read_only_sql_transaction: a standby
  // A database of an earlier version, or a new one: somebody is about to bring it to this version's schema.
  "42P01", // undefined_table
  "42703", // undefined_column
]);

/** True when the database could not be asked, or could not do it now, as opposed to having refused what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  for (let depth = 0, at = error; at instanceof Error && depth < 5; depth++, at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && (awayCodes.has(code) || /^08(?!P01)/.test(code))) return true;
    if (
      /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/.test(
        at.message,
      )
    ) {
      return true;
    }
  }
  return false;
}
