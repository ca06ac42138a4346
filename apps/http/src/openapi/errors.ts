import type { Operation } from "../operations.ts";

const reasons: Record<number, string> = {
  400: "The input is invalid; the error names the field",
  401: "The credential is missing or invalid",
  403: "The plan or the API key does not include this, the account is suspended or being deleted, the operator disabled the link, the sign-in is too old, or a request with the session cookie came from another site",
  404: "The account has no such resource",
  409: "A request with this Idempotency-Key is still in progress, the slug is taken, another account has verified the domain, the key was replaced already, or this is the only way to sign in",
  412: "The link has changed since the answer whose ETag is in If-Match",
  413: "The body is too large",
  415: "The body is not application/json",
  422: "Another request was sent with this Idempotency-Key",
  429: "Rate limit exceeded; Retry-After says when to try again",
  500: "Internal error",
  503: "Too many requests at once, or the database is unreachable; Retry-After says when to try again",
};

/** Why an operation answers with a status. */
export function reasonOf({ meta: { openapi } }: Operation, status: number): string | undefined {
  const { file } = openapi;
  if (file && status === 413) return `The body is over ${file.maxBytes} bytes`;
  if (file && status === 415) return `The body is not ${file.types.join(", ")}`;
  return reasons[status];
}

/** The error statuses of an operation: those that follow from its access and input, and those listed in its meta. */
export function errorStatuses({
  method,
  meta,
  inputFields,
  pathParams,
  refusesUnknown,
}: Operation): number[] {
  const takesFields = Object.keys(inputFields).length > pathParams.length;
  const takesBody = takesFields && method !== "GET" && method !== "DELETE";
  return [
    ...(takesFields || refusesUnknown ? [400] : []),
    401,
    403,
    ...(meta.openapi.hasETag && method !== "GET" ? [412] : []),
    ...(takesBody ? [413, 415] : []),
    ...(method === "POST" ? [409, 422] : []),
    ...(meta.openapi.errors ?? []),
    500,
    503,
  ]
    .toSorted((a, b) => a - b)
    .filter((status, at, all) => status !== all[at - 1]);
}
