import { TRPCError } from "@trpc/server";
import * as z from "zod";
import { databaseUnavailable, isDatabaseUnavailable } from "../db/driver-errors.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import { describeIssues } from "../validation/issues.ts";

const statusByCode: Record<ErrorCode, number> = {
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
    status: statusByCode[code],
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
    const code = error.code in statusByCode ? (error.code as ErrorCode) : "BAD_REQUEST"; // such as PARSE_ERROR
    return failure(code, transportMessages[code] ?? "The request could not be read");
  }
  if (isDatabaseUnavailable(cause)) {
    return failure("SERVICE_UNAVAILABLE", databaseUnavailable.message, databaseUnavailable.retryAfter);
  }
  return failure("INTERNAL_SERVER_ERROR", "Internal server error");
}

/** The same as an error to throw; the cause stays with it for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, message, retryAfter } = toFailure(error);
  return new AppError(code, message, { cause: error, ...(retryAfter !== undefined && { retryAfter }) });
}

/** tRPC's own refusals (malformed batch, unknown procedure) quote input and parser internals; ours do not. */
const transportMessages: Partial<Record<string, string>> = {
  NOT_FOUND: "No such procedure",
  METHOD_NOT_SUPPORTED: "Queries are called with GET, mutations with POST",
  UNSUPPORTED_MEDIA_TYPE: "Content-Type must be application/json",
  PAYLOAD_TOO_LARGE: "The request body is too large",
};

const isOutputFailure = (error: unknown) =>
  error instanceof TRPCError && error.code === "INTERNAL_SERVER_ERROR";
