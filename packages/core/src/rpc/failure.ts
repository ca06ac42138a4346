import { TRPCError } from "@trpc/server";
import * as z from "zod";
import {
  databaseNotMigrated,
  databaseUnavailable,
  isDatabaseUnavailable,
  isNotMigrated,
} from "../db/errors.ts";
import { AppError, type ErrorCode, statusByCode } from "../kernel/errors.ts";
import { describeIssues } from "../kernel/validation/issues.ts";
import { tooManyCalls } from "./batch.ts";

/** An error as a transport reports it to its client. */
export interface Failure {
  /** HTTP status, RFC 9110 section 15 */
  status: number;
  code: ErrorCode;
  message: string;
  /** Whole seconds for a Retry-After header */
  retryAfter: number | undefined;
  /** The scope that the API key lacks, for a WWW-Authenticate header */
  scope?: string | undefined;
  /** The caller must sign in again: whole seconds that a sign-in may be old */
  maxAge?: number | undefined;
}

/**
 * Converts any error to what a client sees. AppErrors keep their message, invalid input names its field, and all other
 * errors reveal nothing internal.
 */
export function toFailure(error: unknown): Failure {
  const failure = (code: ErrorCode, message: string, retryAfter?: number): Failure => ({
    status: statusByCode[code],
    code,
    message,
    retryAfter,
  });
  if (error instanceof AppError) {
    return {
      ...failure(error.code as ErrorCode, error.message, error.retryAfter),
      ...(error.scope && { scope: error.scope }),
      ...(error.maxAge !== undefined && { maxAge: error.maxAge }),
    };
  }
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof AppError) return toFailure(cause);
  if (cause instanceof z.core.$ZodError && !isOutputFailure(error)) {
    return failure("BAD_REQUEST", describeIssues(cause.issues));
  }
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const code = error.code in statusByCode ? (error.code as ErrorCode) : "BAD_REQUEST"; // such as PARSE_ERROR
    const known = batchTooLong === error.message ? tooManyCalls : transportMessages[code];
    return failure(code, known ?? "The request could not be read");
  }
  if (isDatabaseUnavailable(cause)) {
    const { message, retryAfter } = isNotMigrated(cause) ? databaseNotMigrated : databaseUnavailable;
    return failure("SERVICE_UNAVAILABLE", message, retryAfter);
  }
  return failure("INTERNAL_SERVER_ERROR", "Internal server error");
}

/** The same as an error to throw, with the original as its cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, message, retryAfter } = toFailure(error);
  return new AppError(code, message, { cause: error, ...(retryAfter !== undefined && { retryAfter }) });
}

/** tRPC's own message, which does not say the limit */
const batchTooLong = "Batch call exceeds maximum size";

/** Replacements for tRPC's own messages (malformed batch, unknown procedure), which quote input and parser internals. */
const transportMessages: Partial<Record<string, string>> = {
  NOT_FOUND: "No such procedure",
  METHOD_NOT_SUPPORTED: "Queries are called with GET, mutations with POST",
  UNSUPPORTED_MEDIA_TYPE: "Content-Type must be application/json",
  PAYLOAD_TOO_LARGE: "The request body is too large",
};

const isOutputFailure = (error: unknown) =>
  error instanceof TRPCError && error.code === "INTERNAL_SERVER_ERROR";
