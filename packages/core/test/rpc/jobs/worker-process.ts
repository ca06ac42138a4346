import { createCore } from "../../../src/index.ts";

/** A node that works on jobs until it is killed. */
const core = await createCore({ databaseUrl: process.argv[2] ?? "", shortBase: "http://short.test" });
core.jobs.start();
setInterval(() => {}, 1000);
