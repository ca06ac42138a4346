import type { Issue } from "./generated/api.ts";
import { codes } from "./generated/codes.ts";

/** The name of an error's status, the same as over tRPC; UNKNOWN for any other status, such as one of a proxy. */
export type ErrorCode = (typeof codes)[keyof typeof codes] | "UNKNOWN";

/** Every error of this client, except for the reason of an aborted `signal`. */
export class TerseError extends Error {
  override name = "TerseError";
}

/** The service could not be reached, or its answer was cut off; `cause` says more. */
export class ConnectionError extends TerseError {
  override name = "ConnectionError";
}

/** There was no answer within `timeout`. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** The service refused the call. `message` is one sentence, the first issue's: it names the field and what to do. */
export class ApiError extends TerseError {
  override name = "ApiError";
  readonly code: ErrorCode;
  /** HTTP status */
  readonly status: number;
  /** Identifies the request in the service's log */
  readonly requestId: string | null;
  /** Seconds until another try can succeed; null if the service does not say */
  readonly retryAfter: number | null;
  /** Everything that is wrong, by field and code; empty if a proxy has answered */
  readonly issues: readonly Issue[];

  constructor(message: string, response: Response, issues: readonly Issue[] = []) {
    super(message);
    this.issues = issues;
    const { status, headers } = response;
    this.status = status;
    this.code = (codes as Record<number, ErrorCode>)[status] ?? "UNKNOWN";
    this.requestId = headers.get("X-Request-Id");
    this.retryAfter = secondsOf(headers.get("Retry-After"));
  }
}

/** 400, 413, 415 and 422: the input is not valid. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}
/** 401: the key is missing or not valid. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}
/** 403: the plan or the key does not include this. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}
/** 404: the account has no such resource. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
/** 409: the slug is taken, or another reason in the state of the resource. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
/** 412: the link has changed since it was read; read it again. */
export class PreconditionFailedError extends ApiError {
  override name = "PreconditionFailedError";
}
/** 429: too many calls; `retryAfter` says when to try again. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
/** 500 and above. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: BadRequestError,
  415: BadRequestError,
  422: BadRequestError,
  429: RateLimitError,
};

/** The error of an answer; `body` is its text. */
export function errorOf(response: Response, body: string): ApiError {
  const Type = classes[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  const { detail, error, issues } = readBody(body);
  const sentence = [detail, error].find((text) => typeof text === "string");
  return new Type(
    sentence ?? `The service answered ${response.status} ${response.statusText}`.trim(),
    response,
    Array.isArray(issues) ? issues : [],
  );
}

/** Problem details (RFC 9457), or the envelope; nothing of either if this is the answer of a proxy. */
function readBody(body: string): { detail?: string; error?: string; issues?: Issue[] } {
  try {
    return (JSON.parse(body) ?? {}) as object;
  } catch {
    return {};
  }
}

/** Seconds, or a date (RFC 9110 section 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
