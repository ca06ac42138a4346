// A process that logs argv[2] lines at once, or one every 10 ms for a while; argv[3] is how it ends.
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "../src/index.ts";

const [lines = "0", end] = process.argv.slice(2);
const logger = createLogger({ level: "info" });
for (let at = 0; at < Number(lines); at++) logger.info({ at }, "größer");
if (end === "later") {
  for (let at = 0; at < 30; at++) {
    await sleep(10);
    logger.info({ at }, "later");
  }
}
if (end !== "by itself") process.exit(7);
