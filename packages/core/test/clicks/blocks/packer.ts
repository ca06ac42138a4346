/** Packs clicks, few at a time, until it is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { createCore } from "../../../src/index.ts";
import { packClicks } from "./helpers.ts";

const [, , databaseUrl = "", before = ""] = process.argv;
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
for (;;) {
  await packClicks(core, Number(before), 40);
  await sleep(10);
}
