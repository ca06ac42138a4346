import type { Redis } from "ioredis";
import { siteShare } from "../../kernel/addresses.ts";
import { countersOf } from "./client-counters.ts";
import { limiterPerMinute, takeFrom } from "./counting.ts";
import type { OAuthRequest } from "./limits.types.ts";

/**
 * Requests a minute from one address. Codes that a person types are short, so guesses must be few; each registration stores
 * a row, and each document of a client is a request to another host.
 */
const perMinute: Record<OAuthRequest, number> = {
  authorization: 60,
  token: 120,
  registration: 10,
  device: 20,
  "user-code": 10,
  metadata: 20,
};

/** Limits the requests of programs that sign their user in, by address and by site. */
export function createOAuthLimit(
  redis: Redis | null,
): (request: OAuthRequest, address: string) => Promise<void> {
  const limiterOf = (name: string, points: number) => ({
    byClient: limiterPerMinute(redis, `oauth-${name}`, points),
    bySite: limiterPerMinute(redis, `oauth-${name}-site`, points * siteShare),
  });
  const limiters = Object.fromEntries(
    Object.entries(perMinute).map(([request, points]) => [request, limiterOf(request, points)]),
  ) as Record<OAuthRequest, ReturnType<typeof limiterOf>>;
  return (request, address) =>
    takeFrom(countersOf(address, limiters[request]), {}, { policy: `oauth-${request}`, what: "requests" });
}
