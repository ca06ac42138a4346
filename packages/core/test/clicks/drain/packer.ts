/** Packs the days of links, few at a time, until it is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { packSomeRows } from "../../../src/clicks/drain/rollups/pack-rows.ts";
import { createCore } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

const [, , databaseUrl = ""] = process.argv;
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
for (;;) if (!(await packSomeRows(depsOf(core).pool, 20))) await sleep(10);
