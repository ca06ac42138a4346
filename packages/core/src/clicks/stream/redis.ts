import type { Redis } from "ioredis";
import { loadRedis, tlsOf } from "../../db/redis.ts";
import { answerTimeoutMs, Connection } from "./connection.ts";
import type { ClickStream, StreamAddress } from "./click-stream.ts";

const field = "e";
const options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  connectTimeout: answerTimeoutMs,
  retryStrategy: () => null,
};

/** A Redis stream. Redis must keep it in its append-only file (AOF), as otherwise a crash of Redis loses it. */
export function openRedisStream({ server, name, parameters }: StreamAddress): ClickStream {
  const connection = new Connection(
    async () => {
      const redis = new (loadRedis())(server, { ...options, ...tlsOf(`${server}?${parameters.toString()}`) });
      redis.on("error", () => {}); // commands and `connect` reject; without a listener Node would exit
      await redis.connect();
      return redis;
    },
    (redis: Redis) => redis.disconnect(),
  );
  const prefix = `redis:${name}:`;
  /** Redis's own id of an entry; undefined if it is of another stream */
  const positionOf = (id: string | null) => (id?.startsWith(prefix) ? id.slice(prefix.length) : undefined);

  return {
    open: () =>
      connection.use(async (redis) => {
        const state = await redis.info("persistence");
        return /^aof_enabled:0/m.test(state) ? "Redis does not write an append-only file" : null;
      }),
    async add(body) {
      await connection.use((redis) => redis.xadd(name, "*", field, body));
    },
    async read(after, max) {
      const position = positionOf(after);
      const from = position === undefined ? "-" : `(${position}`;
      const rows = await connection.use((redis) => redis.xrangeBuffer(name, from, "+", "COUNT", max), 10_000);
      return rows.map(([id, fields]) => ({ id: prefix + id.toString(), body: bodyOf(fields) }));
    },
    async endsBefore(id) {
      const position = positionOf(id);
      if (position === undefined) return false;
      return connection.use(async (redis) => {
        if ((await redis.exists(name)) === 0) return true;
        const info = (await redis.xinfo("STREAM", name)) as unknown[];
        return isBefore(String(info[info.indexOf("last-generated-id") + 1]), position);
      });
    },
    async trim(last) {
      const position = positionOf(last);
      if (position === undefined) return;
      const [time = "", sequence = ""] = position.split("-");
      await connection.use((redis) => redis.xtrim(name, "MINID", `${time}-${BigInt(sequence) + 1n}`), 10_000);
    },
    async oldest() {
      const [first] = await connection.use((redis) => redis.xrange(name, "-", "+", "COUNT", 1));
      return first === undefined ? null : Number.parseInt(first[0], 10);
    },
    close: () => connection.close(),
  };
}

/** Entries of others may have any fields. */
function bodyOf(fields: Buffer[]): Buffer {
  const at = fields.findIndex((each, index) => index % 2 === 0 && each.toString() === field);
  return (at < 0 ? undefined : fields[at + 1]) ?? Buffer.alloc(0);
}

/** Whether an id, a time and a number, is before another one. */
function isBefore(left: string, right: string): boolean {
  const [time = 0, number = 0] = left.split("-").map(Number);
  const [rightTime = 0, rightNumber = 0] = right.split("-").map(Number);
  return time === rightTime ? number < rightNumber : time < rightTime;
}
