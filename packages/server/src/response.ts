import type { Context, MiddlewareHandler } from "hono";

/** Sent with every response: browsers must not guess another content type. */
const contentTypeOptions = { "X-Content-Type-Options": "nosniff" };

/**
 * The headers of every response of the host with this public address. If it is https, browsers must not use http for a
 * year (RFC 6797). Names below the host are left alone: they may be other services.
 */
export const securityHeadersOf = (publicUrl: string): Record<string, string> => ({
  ...contentTypeOptions,
  ...(publicUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
});

/**
 * Adds the security headers to every response of an app. A body that is too large is not read to its end, so the connection
 * of a 413 cannot be used again, and the response says so.
 */
export function withSecurityHeaders(publicUrl: string): MiddlewareHandler {
  const all = Object.entries(securityHeadersOf(publicUrl));
  return async (c, next) => {
    await next();
    if (c.res.status === 413) c.res.headers.set("Connection", "close");
    for (const [name, value] of all) c.res.headers.set(name, value);
  };
}

/** Liveness probe: the process is up. It does not check the database. */
export const health = (c: Context): Response =>
  c.json({ status: "ok", service: "terse" }, 200, { "Cache-Control": "no-store" });

const bearer = 'Bearer realm="terse"';

/**
 * Headers of an error response: WWW-Authenticate by RFC 6750 section 3, for 401 and for 403 because of a missing scope;
 * Retry-After in whole seconds (RFC 9110 section 10.2.3).
 */
export function failureHeaders({
  status,
  retryAfter,
  scope,
}: {
  status: number;
  retryAfter?: number | undefined;
  scope?: string | undefined;
}): Record<string, string> {
  return {
    ...(status === 401 && { "WWW-Authenticate": bearer }),
    ...(scope !== undefined && {
      "WWW-Authenticate": `${bearer}, error="insufficient_scope", scope="${scope}"`,
    }),
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  };
}

/** The state of a rate limit; `window` and `reset` are whole seconds. */
interface RateLimit {
  policy: string;
  limit: number;
  remaining: number;
  window: number;
  reset: number;
}

/** Rate limit headers (draft-ietf-httpapi-ratelimit-headers-10); empty if no limit applied. */
export function rateLimitHeaders(rateLimit: RateLimit | undefined): Record<string, string> {
  if (!rateLimit) return {};
  const { policy, limit, remaining, window, reset } = rateLimit;
  return {
    "RateLimit-Policy": `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  };
}
