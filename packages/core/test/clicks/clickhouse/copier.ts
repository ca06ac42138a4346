/** Copies clicks to ClickHouse until it is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { createCore } from "../../../src/index.ts";

const [, , databaseUrl = "", url = ""] = process.argv;
const core = await createCore({ databaseUrl, shortBase: "http://short.test", clickHouse: { url } });
for (;;) {
  await core.clickhouse?.catchUp();
  await sleep(1);
}
