/** A node that gets clicks until it is killed. Reports when each click was answered on file descriptor 1, at once. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openClickLog } from "../../../src/clicks/log/index.ts";
import { openClickStream, Shipper } from "../../../src/clicks/stream/index.ts";
import { clickOn } from "../../helpers.ts";

const [, , folder = "", url = "", shipping = "async", link = ""] = process.argv;
const onEvent = ({ code }: { code: string }) => console.error(code);
const stream = openClickStream(url);
const follower = new Shipper({ stream, folder, shipping: shipping as "async" | "sync", onEvent });
const log = openClickLog({ folder, fsync: "off", follower, onEvent });
for (let number = 0; ; await sleep(5)) {
  for (let group = 0; group < 5; group++, number++) {
    const click = clickOn(link, { address: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` });
    log.append(click, () => writeSync(1, `${Date.now()}\n`));
  }
}
