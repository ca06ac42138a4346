import type { Redis } from "ioredis";
import { siteShare } from "../../kernel/addresses.ts";
import { countersOf } from "./client-counters.ts";
import { consume, limiterPerMinute } from "./counting.ts";

/** Shared reports that one client may open in a minute */
const perMinute = 60;

export interface SharedReportLimit {
  /** Counts one opening. Returns the whole seconds to wait, or null if it is allowed. */
  take(client: string): Promise<number | null>;
}

export function createSharedReportLimit(redis: Redis | null): SharedReportLimit {
  const byClient = limiterPerMinute(redis, "shared-reports", perMinute);
  const bySite = limiterPerMinute(redis, "shared-reports-site", perMinute * siteShare);
  return {
    async take(client) {
      for (const [limiter, key] of countersOf(client, { byClient, bySite })) {
        const { state, isOver } = await consume(limiter, key, "shared-reports");
        if (isOver) return state.reset;
      }
      return null;
    },
  };
}
