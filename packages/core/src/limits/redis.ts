import { Redis } from "ioredis";

/** Nobody waits for a Redis that is away or hangs, and no count is sent again that may have been counted. */
const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, commandTimeout: 500 };

/** The connection that all limits of a core share, or null without an address. It comes back by itself. */
export function openRedis(url: string | undefined): Redis | null {
  const redis = url ? new Redis(url, options) : null;
  redis?.on("error", () => {}); // those who use it have something to fall back on; without a listener Node would exit
  return redis;
}
