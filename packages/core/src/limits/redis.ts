import { Redis } from "ioredis";

/** Commands fail fast if Redis is unreachable or hangs, and none is resent that may have been executed. */
const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, commandTimeout: 500 };

/** Opens the connection that all limits of a core share; null without a URL. It reconnects by itself. */
export function openRedis(url: string | undefined): Redis | null {
  const redis = url ? new Redis(url, options) : null;
  redis?.on("error", () => {}); // limits fall back to memory; without a listener Node would exit
  return redis;
}
