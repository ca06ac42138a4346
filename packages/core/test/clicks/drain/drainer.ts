/** Drains a folder in small batches until it is killed, and prints when it begins. */
import { randomBytes } from "node:crypto";
import { createDrain } from "../../../src/clicks/drain/drain.ts";
import { createClickStore } from "../../../src/clicks/drain/store/store.ts";
import { createCore } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

const [, , databaseUrl = "", folder = "", batchSize = "20"] = process.argv;
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
const { pool, clock } = depsOf(core);
const store = createClickStore(pool, clock, randomBytes);
const drain = createDrain({ pool, store, folder, clock, onEvent: () => {}, batchSize: Number(batchSize) });
console.log("begin");
for (;;) await drain.once();
