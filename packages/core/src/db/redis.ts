import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Ioredis from "ioredis";
import { coreEvent, type CoreEvent } from "../kernel/events.ts";
import { reasonOf } from "../kernel/errors.ts";

/** Commands fail fast if Redis is unreachable or hangs, and none is resent that may have been executed. */
const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, commandTimeout: 500 };

/** The client takes 15 MB, which a process without Redis does not load. */
export const loadRedis = () => (createRequire(import.meta.url)("ioredis") as typeof Ioredis).Redis;

/**
 * Opens the connection that all limits of a core share; null without a URL. It reconnects automatically. Like a PostgreSQL URL,
 * a rediss:// URL may name files: `sslrootcert` (the authority that signed the server's certificate), `sslcert`, `sslkey`.
 * @throws if one of these files cannot be read
 */
export function openRedis(
  url: string | undefined,
  onEvent: (event: CoreEvent) => void,
): Ioredis.Redis | null {
  if (!url) return null;
  const redis = new (loadRedis())(url, { ...options, ...tlsOf(url) });
  let isLost = false;
  let isEnding = false;
  // Limits fall back to memory; without a listener Node would exit.
  let reason: string | undefined;
  redis.on("error", (error: Error) => {
    reason = reasonOf(error);
  });
  redis.on("close", () => {
    if (isLost || isEnding) return;
    isLost = true;
    onEvent(coreEvent("redis_lost", { reason: reason ?? "Redis closed the connection" }));
  });
  redis.on("ready", () => {
    if (isLost) onEvent(coreEvent("redis_restored"));
    isLost = false;
    reason = undefined;
  });
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (...how) => {
    isEnding = true;
    disconnect(...how);
  };
  return redis;
}

export function tlsOf(url: string) {
  if (!url.startsWith("rediss:")) return {};
  const files = new URL(url).searchParams;
  const names = { ca: "sslrootcert", cert: "sslcert", key: "sslkey" };
  const tls = Object.entries(names).flatMap(([name, parameter]) => {
    const file = files.get(parameter);
    return file === null ? [] : [[name, readFileSync(file)]];
  });
  return { tls: Object.fromEntries(tls) as object };
}
