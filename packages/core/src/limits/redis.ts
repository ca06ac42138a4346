import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Ioredis from "ioredis";

/** Commands fail fast if Redis is unreachable or hangs, and none is resent that may have been executed. */
const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, commandTimeout: 500 };

/** The client takes 15 MB, which a process without Redis does not load. */
const loadRedis = () => (createRequire(import.meta.url)("ioredis") as typeof Ioredis).Redis;

/**
 * Opens the connection that all limits of a core share; null without a URL. It reconnects by itself. Like a PostgreSQL URL,
 * a rediss:// URL may name files: `sslrootcert` (the authority that signed the server's certificate), `sslcert`, `sslkey`.
 * @throws if one of these files cannot be read
 */
export function openRedis(url: string | undefined): Ioredis.Redis | null {
  const redis = url ? new (loadRedis())(url, { ...options, ...tlsOf(url) }) : null;
  redis?.on("error", () => {}); // limits fall back to memory; without a listener Node would exit
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
