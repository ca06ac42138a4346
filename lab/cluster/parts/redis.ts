import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Number3, ports, redis } from "../addresses.ts";
import { Part } from "../part.ts";

/** One of three Redis; the first is the primary at the start. */
export function redisPart(folder: string, number: Number3): Part {
  const data = join(folder, `redis${number}`);
  mkdirSync(data);
  const file = join(data, "redis.conf");
  const lines = [
    `bind ${redis(number)}`,
    `port ${ports.redis}`,
    `dir ${data}`,
    `replica-announce-ip ${redis(number)}`,
    "protected-mode no",
    "save ''",
    "appendonly yes",
    ...(number === 1 ? [] : [`replicaof ${redis(1)} ${ports.redis}`]),
  ];
  writeFileSync(file, lines.join("\n"));
  return new Part(folder, { name: `redis${number}`, command: "redis-server", args: [file] });
}

/** One of three sentinels, two of which must agree before another Redis becomes the primary. */
export function sentinelPart(folder: string, number: Number3): Part {
  const data = join(folder, `sentinel${number}`);
  mkdirSync(data);
  const file = join(data, "sentinel.conf");
  const lines = [
    `bind ${redis(number)}`,
    `port ${ports.sentinel}`,
    `dir ${data}`,
    `sentinel announce-ip ${redis(number)}`,
    `sentinel monitor terse ${redis(1)} ${ports.redis} 2`,
    "sentinel down-after-milliseconds terse 2000",
    "sentinel failover-timeout terse 10000",
  ];
  writeFileSync(file, lines.join("\n"));
  return new Part(folder, { name: `sentinel${number}`, command: "redis-server", args: [file, "--sentinel"] });
}
