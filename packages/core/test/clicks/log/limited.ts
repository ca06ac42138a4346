/** Appends clicks under the limits that it was started with, and prints the log's events. */
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { click, upTo } from "./clicks.ts";

const [, , folder = "", count = "0"] = process.argv;
const onEvent = (event: { message: string; err?: unknown }) => console.log(event.message, event.err ?? "");
const log = new ClickLog({ folder, fsync: "off", retryMs: 1, onEvent });
for (const number of upTo(Number(count))) {
  await new Promise<void>((done) =>
    log.append(click(number, { user_agent: "漢".repeat(number % 50) }), done),
  );
  if (log.stats().degraded) await new Promise((resolve) => setTimeout(resolve, 5));
}
await log.close();
