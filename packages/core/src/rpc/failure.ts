import { TRPCError } from "@trpc/server";
import * as z from "zod";
import {
  databaseNotMigrated,
  databaseUnavailable,
  isDatabaseUnavailable,
  isNotMigrated,
} from "../db/errors.ts";
import { AppError, type ErrorCode, statusByCode } from "../kernel/errors.ts";
import type { Issue } from "../kernel/issues.ts";
import { issuesOf } from "../kernel/validation/issues.ts";
import type { Definition } from "./operation.ts";

/** An error as a transport reports it to its client. */
export interface Failure {
  /** HTTP status, RFC 9110 section 15 */
  status: number;
  code: ErrorCode;
  /** One sentence: the first issue's */
  message: string;
  /** Everything that is wrong, at least one */
  issues: readonly Issue[];
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
  const { code, message, issues, retryAfter, scope, maxAge } = toAppError(error);
  return {
    status: statusByCode[code as ErrorCode],
    code: code as ErrorCode,
    message,
    issues,
    retryAfter,
    ...(scope && { scope }),
    ...(maxAge !== undefined && { maxAge }),
  };
}

/** The same as an error to throw, with the original as its cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof AppError) return cause;
  if (cause instanceof z.core.$ZodError && !isOutputFailure(error))
    return new AppError("BAD_REQUEST", issuesOf(cause.issues), { cause: error });
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const code = error.code in statusByCode ? (error.code as ErrorCode) : "BAD_REQUEST"; // such as PARSE_ERROR
    const known = batchTooLong === error.message ? tooManyCalls : transportMessages[code];
    return new AppError(code, known ?? "The request could not be read", { cause: error });
  }
  if (isDatabaseUnavailable(cause)) {
    const { message, retryAfter } = isNotMigrated(cause) ? databaseNotMigrated : databaseUnavailable;
    return new AppError("SERVICE_UNAVAILABLE", message, { retryAfter, cause: error });
  }
  return new AppError("INTERNAL_SERVER_ERROR", "Internal server error", { cause: error });
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

/** Calls in one tRPC batch */
export const maxBatchSize = 20;
/** A batch's limit: as much as three of the largest pages, so that it costs little more than a single request. */
const maxItems = 300;
const search = 100;
const report = 40;
/** A QR code as SVG */
const drawing = 25;
/** A QR code as PNG, or a file that is sent */
const image = 100;

export const tooManyCalls = `The batch has too many calls: send at most ${maxBatchSize} at once`;
export const tooManyItems = `The batch asks for too much: its lists may request ${maxItems} items in total (see limit); a search counts as ${search}, a report as ${report}, a QR code as ${drawing}, and a PNG or an upload as ${image}`;

/** Whether a batch of these calls asks for more than `maxItems`. Calls with an invalid `limit` count nothing: they are refused. */
export const asksForTooMuch = (calls: readonly { name: string; definition: Definition; input: unknown }[]) =>
  calls.reduce((sum, { name, definition, input }) => sum + itemsOf(name, definition, input), 0) > maxItems;

function itemsOf(name: string, { page, fields, meta }: Definition, input: unknown): number {
  if (name.startsWith("analytics.")) return report;
  if (meta.openapi?.file) return image;
  if (name === "links.qr") return (input as { format?: unknown } | null)?.format === "png" ? image : drawing;
  if (!page) return 0;
  const { limit, search: text } = (input ?? {}) as { limit?: unknown; search?: unknown };
  if (text !== undefined) return search;
  const asked = fields["limit"] && z.safeParse(fields["limit"], limit);
  return asked?.success ? Number(asked.data) : 0;
}
