import { execFile } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type Number3,
  baseUrl,
  nats,
  node,
  ports,
  postgres,
  redisProxy,
  shortBase,
  three,
} from "../addresses.ts";
import { Part } from "../part.ts";
import { type Address, Wire } from "../wire.ts";

/** The folder of this checkout */
export const root = join(import.meta.dirname, "../../..");

/** A node of Terse, and the ways from it to what it needs. */
export interface TerseNode {
  part: Part;
  dataDir: string;
  toPostgres: Wire[];
  toRedis: Wire;
  toNats: Wire[];
  /** Runs an admin command with the node's settings, and returns what it prints. */
  admin(...args: string[]): Promise<string>;
  /** Removes its DATA_DIR, as if its disk was lost. */
  removeDisk(): void;
}

/** The command that starts the service of a checkout */
export const serviceOf = (checkout: string) => ({
  command: process.execPath,
  args: ["--max-semi-space-size=8", join(checkout, "apps/standalone/src/main.ts")],
});

export async function terseNode(folder: string, number: Number3, checkout: string): Promise<TerseNode> {
  const dataDir = join(folder, `node${number}`);
  mkdirSync(dataDir);
  const host = node(number);
  const wire = async (port: number, to: Address) => {
    const made = new Wire({ host, port }, to);
    await made.open();
    return made;
  };
  const wires = (first: number, hostOf: (number: Number3) => string, port: number) =>
    Promise.all(three.map((each) => wire(first + each, { host: hostOf(each), port })));
  const toPostgres = await wires(5430, postgres, ports.postgres);
  const toNats = await wires(4220, nats, ports.nats);
  const toRedis = await wire(ports.redis, { host: redisProxy, port: ports.redis });
  const hosts = (all: Wire[]) => all.map(({ at }) => `${at.host}:${at.port}`).join(",");
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://terse:terse@${hosts(toPostgres)}/terse?target_session_attrs=read-write`,
    DATABASE_REPLICA_URL: `postgres://terse:terse@${hosts(toPostgres)}/terse`,
    DATABASE_POOL: "30",
    REDIS_URL: `redis://${host}:${ports.redis}`,
    CLICK_STREAM_URL: `nats://${hosts(toNats)}`,
    CLICK_SHIPPING: "sync",
    HOST: host,
    BASE_URL: baseUrl,
    SHORT_BASE: shortBase,
    TRUSTED_PROXIES: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    NODE_NAME: `node${number}`,
    // The main process redirects: three nodes and all they need share one machine.
    REDIRECT_WORKERS: "0",
    // The links that are followed once are created many at a time.
    RATE_LIMIT_ENTERPRISE: "1000000",
  };
  const part = new Part(folder, { name: `node${number}`, ...serviceOf(checkout), env });
  return {
    part,
    dataDir,
    toPostgres,
    toRedis,
    toNats,
    async admin(...args) {
      const program = join(root, "apps/standalone/src/admin.ts");
      const options = { env: { PATH: process.env.PATH, HOME: "/tmp", ...env }, timeout: 120_000 };
      return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
    },
    removeDisk: () => rmSync(dataDir, { recursive: true }),
  };
}

/** Whether a node has all that it needs. */
export const isReady = (number: Number3): Promise<boolean> =>
  fetch(`http://${node(number)}:${ports.admin}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
