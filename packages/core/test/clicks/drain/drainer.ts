/** Drains a folder in batches and parts of the given sizes until it is killed, and prints when it begins. */
import { randomBytes } from "node:crypto";
import { createDrain } from "../../../src/clicks/drain/drain.ts";
import { createClickStore } from "../../../src/clicks/drain/store/store.ts";
import { createCore } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

const [, , databaseUrl = "", folder = "", batchSize = "", splitFrom = ""] = process.argv;
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
const { pool, clock, meter } = depsOf(core);
const store = createClickStore({ pool, clock, randomBytes });
const drain = createDrain({
  pool,
  store,
  folder,
  clock,
  meter,
  onEvent: () => {},
  batchSize: Number(batchSize),
  splitFrom: Number(splitFrom),
});
console.log("begin");
for (;;) await drain.once();
