/** A node that gets clicks until it is killed. Reports on file descriptor 1, at once, how many clicks it got, when each was answered, and events. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { Shipper } from "../../../src/clicks/stream/shipper.ts";
import { click } from "../log/clicks.ts";

const [, , folder = "", url = "", shipping = "async", link = ""] = process.argv;
const onEvent = ({ code }: { code: string }) => writeSync(1, `${code}\n`);
const stream = openClickStream(url);
const follower = new Shipper({ stream, folder, shipping: shipping as "async" | "sync", onEvent });
const log = new ClickLog({ folder, fsync: "off", follower, onEvent });
for (let number = 0; ; await sleep(5)) {
  writeSync(1, `got ${number + 5}\n`);
  for (let group = 0; group < 5; group++, number++) {
    const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    const visit = click(number, { link_id: link, time: Date.now(), referrer: "", address });
    log.append(visit, () => writeSync(1, `${Date.now()}\n`));
  }
}
