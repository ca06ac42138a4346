/** Appends clicks until it is killed, and reports each stored click on file descriptor 1 at once. */
import { writeSync } from "node:fs";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { click } from "./clicks.ts";

const [, , folder = "", first = "0", fsync = "off"] = process.argv;
const log = new ClickLog({ folder, fsync: fsync as "off" | "always", segmentBytes: 20_000 });
let number = Number(first);
for (;;) {
  for (let group = number % 17; group >= 0; group--) {
    const own = number++;
    log.append(click(own), () => writeSync(1, `${own}\n`));
  }
  await new Promise((resolve) => setImmediate(resolve));
}
