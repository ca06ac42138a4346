import type { ServerEnv } from "@terse/server";
import type { Context, MiddlewareHandler } from "hono";

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const sent =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Terse-Workspace, X-Request-Id";
const read =
  "Content-Disposition, Deprecation, ETag, Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id";

/**
 * Lets pages of any origin call the API with a key or token, and with nothing else: without
 * Access-Control-Allow-Credentials, browsers hide every answer to a request with cookies (Fetch standard, "CORS protocol").
 */
export const crossOrigin: MiddlewareHandler<ServerEnv> = async (c, next) => {
  if (isPreflight(c) && announcesKey(c)) {
    return c.body(null, 204, {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": sent,
      // Browsers shorten it to their own limit.
      "Access-Control-Max-Age": "86400",
    });
  }
  await next();
  const { headers } = c.res;
  if (headers.get("Cache-Control") !== "no-store") headers.append("Vary", "Authorization");
  if (c.req.header("authorization") === undefined) return undefined;
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", read);
  return undefined;
};

const isPreflight = (c: Context) =>
  c.req.method === "OPTIONS" &&
  c.req.header("origin") !== undefined &&
  c.req.header("access-control-request-method") !== undefined;

/** Without a key, a foreign page could have its visitors create links under their own addresses. */
const announcesKey = (c: Context) =>
  /(?:^|,)\s*authorization\s*(?:,|$)/i.test(c.req.header("access-control-request-headers") ?? "");
