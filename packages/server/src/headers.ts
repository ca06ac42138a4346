import type { MiddlewareHandler } from "hono";

/** What goes with every answer: a browser takes it for what it says it is. */
export const securityHeaders = { "X-Content-Type-Options": "nosniff" } as const;

/** Puts them on every answer of an app. */
export const withSecurityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders)) c.res.headers.set(name, value);
};

/** What belongs to a refusal: RFC 6750 section 3 for 401; RFC 9110 section 10.2.3, whole seconds, for Retry-After. */
export function failureHeaders({
  status,
  retryAfter,
}: {
  status: number;
  retryAfter?: number | undefined;
}): Record<string, string> {
  return {
    ...(status === 401 && { "WWW-Authenticate": 'Bearer realm="terse"' }),
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  };
}

/** Where somebody stands with a limit; seconds are whole ones. */
interface RateLimit {
  policy: string;
  limit: number;
  remaining: number;
  window: number;
  reset: number;
}

/** The same in a client's words (draft-ietf-httpapi-ratelimit-headers-10); nothing where no limit was asked. */
export function rateLimitHeaders(rateLimit: RateLimit | undefined): Record<string, string> {
  if (!rateLimit) return {};
  const { policy, limit, remaining, window, reset } = rateLimit;
  return {
    "RateLimit-Policy": `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  };
}
