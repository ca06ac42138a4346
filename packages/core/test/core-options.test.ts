import { expect, it } from "vitest";
import { createCore } from "../src/index.ts";
import { createRedirectCore } from "../src/redirect.ts";

const databaseUrl = "postgresql://127.0.0.1:1/none";
const shortBase = "http://short.test";
const databaseMust =
  "databaseUrl: must be a PostgreSQL URL, such as postgresql://user:password@localhost:5432/terse";
const shortBaseMust =
  "shortBase: must be the http or https URL that short links begin with, such as https://trs.example";

const wrong: [options: unknown, reason: string][] = [
  [undefined, "the options must be an object with databaseUrl and shortBase"],
  ["postgresql://", "the options must be an object with databaseUrl and shortBase"],
  [{}, databaseMust],
  [{ shortBase }, databaseMust],
  [{ databaseUrl: "mysql://localhost/terse", shortBase }, databaseMust],
  [
    { databaseUrl: "postgresql://a,b/t?target_session_attrs=standby", shortBase },
    "databaseUrl: target_session_attrs must be any, read-write, primary",
  ],
  [{ databaseUrl }, shortBaseMust],
  [{ databaseUrl, shortBase: "short.test" }, shortBaseMust],
  [{ databaseUrl, shortBase: "ftp://short.test" }, shortBaseMust],
  [{ databaseUrl, shortBase, poolSize: 0 }, "poolSize: must be a whole number from 1 to 10000"],
  [{ databaseUrl, shortBase, onEvent: "log" }, "onEvent: must be a function"],
  [{ databaseUrl, shortBase, blocklistFiles: "list.txt" }, "blocklistFiles: must be an array of strings"],
  [{ databaseUrl, shortBase, geoDatabase: 1 }, "geoDatabase: must be the path of a file"],
  [
    { databaseUrl, shortBase, passwordCost: { ln: 18, r: 8, p: 1 } },
    "passwordCost.ln: must be a whole number from 1 to 17",
  ],
  [{ databaseUrl, shortBase, clickLog: {} }, "clickLog.folder: must be the path of a folder"],
  [
    { databaseUrl, shortBase, clickLog: { folder: "f", stream: { url: "kafka://k" } } },
    "clickLog.stream.url: must be a nats://, tls://, redis:// or rediss:// URL",
  ],
];

it.each(wrong)("createCore and createRedirectCore refuse %j", async (options, reason) => {
  await expect(createCore(options as never)).rejects.toThrow(new TypeError(`createCore: ${reason}`));
  await expect(createRedirectCore(options as never)).rejects.toThrow(
    new TypeError(`createRedirectCore: ${reason}`),
  );
});

it.each([
  [
    { clickHouse: { url: "http://clickhouse:8123/" } },
    "clickHouse.url: must end with the name of a database, such as /terse",
  ],
  [
    { clickHouse: { url: "tcp://clickhouse:9000/terse" } },
    "clickHouse.url: must be the http or https URL of a ClickHouse server",
  ],
  [{ ownHosts: "api.test" }, "ownHosts: must be an array of strings"],
  [{ screenDns: ["1.1.1.2"] }, "screenDns: must be the address of a resolver, such as 1.1.1.2"],
  [{ screenDnsSinkholes: "0.0.0.0" }, "screenDnsSinkholes: must be an array of strings"],
  [{ apiKeysPlan: "free" }, "apiKeysPlan: must be one of pro, enterprise"],
  [{ rateLimits: { free: "60" } }, "rateLimits.free: must be a number of link creations a minute"],
])("createCore refuses %j", async (options, reason) => {
  await expect(createCore({ databaseUrl, shortBase, ...options } as never)).rejects.toThrow(
    new TypeError(`createCore: ${reason}`),
  );
});
