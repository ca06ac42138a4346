import type { Operation } from "../operations.ts";
import type { Json } from "./json.ts";

const header = (description: string, schema: Json) => ({ description, required: true, schema });
/** The headers of answers, which operations refer to. */
export const headers = {
  RequestId: header("Identifies this request in the logs", { type: "string" }),
  WwwAuthenticate: header("RFC 6750", { type: "string" }),
  InsufficientScope: {
    description: "The scope the API key lacks, if that is the reason (RFC 6750)",
    schema: { type: "string" },
  },
  RetryAfter: header("Seconds", { type: "integer", minimum: 1 }),
  RateLimit: header("Remaining requests, and seconds until the limit resets", { type: "string" }),
  ETag: header("Identifies this version of the answer (RFC 9110 section 8.8.3)", { type: "string" }),
  ContentDisposition: header("Whether to display or save the file, and its name (RFC 6266)", {
    type: "string",
  }),
  RateLimitPolicy: header("The limit and its window in seconds", { type: "string" }),
};

/** The headers of an operation's answer with this status. */
export function headersOf({ meta, method, file }: Operation, status: number): Json {
  const limited = meta.openapi.errors?.includes(429) && (status === 201 || status === 429);
  const names = {
    "X-Request-Id": "RequestId",
    ...((file === "text" || (meta.openapi.hasETag && method !== "DELETE")) &&
      status < 400 && { ETag: "ETag" }),
    ...(file && status === 200 && { "Content-Disposition": "ContentDisposition" }),
    ...(status === 401 && { "WWW-Authenticate": "WwwAuthenticate" }),
    ...(status === 403 && { "WWW-Authenticate": "InsufficientScope" }),
    ...((status === 429 || status === 503) && { "Retry-After": "RetryAfter" }),
    ...(limited && { RateLimit: "RateLimit", "RateLimit-Policy": "RateLimitPolicy" }),
  };
  return Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}
