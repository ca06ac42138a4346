import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { createStreamDrain, type StreamDrainOptions } from "../../../src/clicks/stream/drain.ts";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { Shipper, type ShipperOptions } from "../../../src/clicks/stream/shipper.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import type { Core, CoreEvent } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";
import { storeOf } from "../drain/helpers.ts";

/** A click log of a node that ships to a stream. It is closed when the test ends. */
export function shippingLog(
  folder: string,
  url: string,
  shipping: ShipperOptions["shipping"] = "sync",
  segmentBytes = 4000,
) {
  const events: CoreEvent[] = [];
  const onEvent = (event: CoreEvent) => events.push(event);
  const shipper = new Shipper({ stream: openClickStream(url), folder, shipping, onEvent });
  const log = new ClickLog({ folder, fsync: "off", segmentBytes, follower: shipper, onEvent });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= log.close().then(() => shipper.close()));
  onTestFinished(close);
  return {
    shipper,
    events,
    close,
    /** Appends clicks in frames of a few, as fast as they are answered. */
    async append(clicks: readonly RawClick[], perFrame = 7) {
      for (let at = 0; at < clicks.length; at += perFrame) {
        const frame = clicks.slice(at, at + perFrame);
        await Promise.all(frame.map((click) => new Promise<void>((done) => log.append(click, done))));
      }
    },
  };
}

/** A drain of a stream like that of another node, with its events. It stops when the test ends. */
export function streamDrainOf(core: Core, url: string, options: Partial<StreamDrainOptions> = {}) {
  const { pool } = depsOf(core);
  const events: CoreEvent[] = [];
  const onEvent = (event: CoreEvent) => events.push(event);
  const stream = openClickStream(url);
  const quick = { intervalMs: 5, graceMs: 20, acknowledgeMs: 0, batchSize: 50 };
  const drain = createStreamDrain({ pool, store: storeOf(core), stream, onEvent, ...quick, ...options });
  onTestFinished(() => drain.stop());
  drain.start();
  return { ...drain, events };
}

/** The URL of a new stream on a server. */
export const newStream = (server: string): string => `${server}?stream=test-${randomUUID()}`;
