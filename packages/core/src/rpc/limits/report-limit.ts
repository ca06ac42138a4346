import type { Redis } from "ioredis";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { ipv6Network, siteShare } from "../../kernel/addresses.ts";
import { countersOf } from "./client-counters.ts";

/** Reports that one client may send within `window` seconds */
const points = 5;
const window = 3600;

export interface ReportLimit {
  /** Counts one report. Returns the whole seconds to wait, or null if it is allowed. */
  take(address: string): Promise<number | null>;
}

/** Limits reports by client and by site. Counted in this process, or in Redis for all nodes. */
export function createReportLimit(redis: Redis | null): ReportLimit {
  const limiter = (name: string, maxPoints: number): RateLimiterAbstract => {
    const options = { keyPrefix: `terse:reports:${name}`, points: maxPoints, duration: window };
    const memory = new RateLimiterMemory(options);
    return redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory })
      : memory;
  };
  const limiters = { byClient: limiter("client", points), bySite: limiter("site", points * siteShare) };

  return {
    async take(address) {
      try {
        for (const [limit, key] of countersOf(ipv6Network(address, 64) ?? address, limiters))
          await limit.consume(key);
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
  };
}
