import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { node, type Number3, ports, postgres, proxy, three, web } from "../addresses.ts";
import { Part } from "../part.ts";
import { Wire } from "../wire.ts";

const root = join(import.meta.dirname, "../../..");

/** A node of Terse, and the ways from it to the databases and to Redis. */
export interface TerseNode {
  part: Part;
  dataDir: string;
  toPostgres: Wire[];
  toRedis: Wire;
}

/** The command of a checkout's service */
export const commandIn = (checkout: string) => ({
  command: process.execPath,
  args: ["--max-semi-space-size=8", join(checkout, "apps/standalone/src/main.ts")],
});

export async function terseNode(folder: string, number: Number3): Promise<TerseNode> {
  const dataDir = join(folder, `node${number}`);
  mkdirSync(dataDir);
  const host = node(number);
  const toPostgres = three.map(
    (each) => new Wire({ host, port: 5430 + each }, { host: postgres(each), port: ports.postgres }),
  );
  const toRedis = new Wire({ host, port: ports.redis }, { host: proxy, port: ports.redis });
  for (const wire of [...toPostgres, toRedis]) await wire.open();
  const hosts = toPostgres.map(({ at }) => `${at.host}:${at.port}`).join(",");
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://terse:terse@${hosts}/terse`,
    DATABASE_POOL: "30",
    REDIS_URL: `redis://${host}:${ports.redis}`,
    HOST: host,
    HTTP_PORT: String(web.api),
    REDIRECT_PORT: String(web.short),
    MCP_PORT: String(web.mcp),
    BASE_URL: `http://${proxy}:${web.api}`,
    SHORT_BASE: `http://${proxy}:${web.short}`,
    TRUSTED_PROXIES: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    REDIRECT_WORKERS: "0",
  };
  const part = new Part(folder, { name: `node${number}`, ...commandIn(root), env });
  return { part, dataDir, toPostgres, toRedis };
}

/** Whether a node has all that it needs. */
export const isHealthy = (number: Number3): Promise<boolean> =>
  fetch(`http://${node(number)}:${web.api}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
