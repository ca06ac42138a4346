import { rm } from "node:fs/promises";
import { tempFolder, until } from "@terse/testkit";
import { natsMissing, startNats } from "@terse/testkit/nats";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { afterAll, describe, expect, it } from "vitest";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, url as destination } from "../../helpers.ts";
import { countsOf, drainOf, exactly, number, storeOf } from "../drain/helpers.ts";
import { newStream, shippingLog, streamDrainOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor();
// From the first drain of a stream on, positions outlive their segments.
await depsOf(core).pool.query("update click_stream set holder = 'test'");

const newLink = async () => (await core.caller(owner).links.create({ url: destination })).id;
const clicksOn = (link: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    clickOn(link, { address: `10.0.${index >> 8}.${index & 255}` }),
  );
const codes = (events: readonly { code: string }[]) => [...new Set(events.map(({ code }) => code))];

const servers = [
  { name: "Redis", missing: redisMissing, start: () => startRedis({ durable: true }) },
  { name: "JetStream", missing: natsMissing, start: startNats },
];

const isCounted = (link: string, clicks: number) =>
  until(async () => (await number(core, "select click_count from links where id = $1", [link])) === clicks);
const isEmpty = async (url: string) => {
  const stream = openClickStream(url);
  await until(async () => (await stream.read(null, 1)).length === 0);
  await stream.close();
};

describe.each(servers)("a click stream in $name", ({ missing, start }) => {
  it.skipIf(missing)("has the clicks of a node that is lost with its disk, once", async () => {
    const url = newStream((await start()).url);
    const folder = await tempFolder();
    const link = await newLink();
    const node = shippingLog(folder, url);
    await node.append(clicksOn(link, 150));
    await drainOf(core, folder).once();
    await node.append(clicksOn(link, 150));
    await rm(folder, { recursive: true });

    const drain = streamDrainOf(core, url);
    await isCounted(link, 300);
    await isEmpty(url);
    expect(await countsOf(core, link)).toEqual(exactly(300));
    expect(codes(drain.events)).toEqual([]);
  });

  it.skipIf(missing)("gets what was written while it was away, and visitors do not wait for it", async () => {
    const server = await start();
    const url = newStream(server.url);
    const folder = await tempFolder();
    const link = await newLink();
    const node = shippingLog(folder, url);
    await node.append(clicksOn(link, 20));
    await server.kill();
    await node.append(clicksOn(link, 200));
    expect(node.shipper.isUnavailable).toBe(true);
    await server.restart();
    await until(() => !node.shipper.isUnavailable && node.shipper.waitingBytes === 0);
    await rm(folder, { recursive: true });

    streamDrainOf(core, url);
    await isCounted(link, 220);
    await isEmpty(url);
    expect(await countsOf(core, link)).toEqual(exactly(220));
    expect(codes(node.events)).toEqual(
      expect.arrayContaining(["click_stream_unavailable", "click_stream_available"]),
    );
  });
});

describe.skipIf(redisMissing)("frames that are on a disk and in a stream", () => {
  it("count once, while several drains count both", async () => {
    const url = newStream((await startRedis({ durable: true })).url);
    const folder = await tempFolder();
    const link = await newLink();
    const node = shippingLog(folder, url, "async");
    for (let drains = 0; drains < 2; drains++) {
      drainOf(core, folder, { batchSize: 50 }).start();
      streamDrainOf(core, url, { graceMs: 0 });
    }
    for (let part = 0; part < 6; part++) await node.append(clicksOn(link, 100));
    await node.close();
    await isCounted(link, 600);
    await isEmpty(url);
    expect(await countsOf(core, link)).toEqual(exactly(600));
  });

  it("do not count again when the disk has counted and deleted them", async () => {
    const url = newStream((await startRedis({ durable: true })).url);
    const folder = await tempFolder();
    const link = await newLink();
    const node = shippingLog(folder, url);
    await node.append(clicksOn(link, 100));
    await node.close();
    const stream = streamDrainOf(core, url, { graceMs: 60_000, acknowledgeMs: 60_000 });
    await stream.inUse;
    await drainOf(core, folder).once();
    await stream.stop();

    const late = streamDrainOf(core, url, { graceMs: 0 });
    await isEmpty(url);
    expect(await countsOf(core, link)).toEqual(exactly(100));
    expect(late.events).toEqual([]);
  });

  it("count once if their node was cut off from the stream for longer than positions are kept", async () => {
    const server = await startRedis({ durable: true });
    const url = newStream(server.url);
    const folder = await tempFolder();
    const link = await newLink();
    const node = shippingLog(folder, url);
    await node.append(clicksOn(link, 20));
    const before = streamDrainOf(core, url, { graceMs: 0 });
    await isEmpty(url);
    await before.stop();
    await server.kill();
    await node.append(clicksOn(link, 200));
    await drainOf(core, folder).once();
    await depsOf(core).pool.query("delete from click_segments where finished_at is not null");
    await server.restart();
    await until(() => !node.shipper.isUnavailable && node.shipper.waitingBytes === 0);

    streamDrainOf(core, url, { graceMs: 0 });
    await isEmpty(url);
    expect(await countsOf(core, link)).toEqual(exactly(220));
  });

  it("count if the server has lost the end of the stream", async () => {
    const url = newStream((await startRedis({ durable: true })).url);
    const folder = await tempFolder();
    const link = await newLink();
    const place = `redis:${url.split("stream=").at(-1)}:99999999999999-0`;
    await depsOf(core).pool.query("update click_stream set counted = $1", [place]);
    await shippingLog(folder, url).append(clicksOn(link, 30));
    await rm(folder, { recursive: true });
    streamDrainOf(core, url);
    await isCounted(link, 30);
    await isEmpty(url);
  });

  it("count again if the database went back in time between two of its statements", async () => {
    const url = newStream((await startRedis({ durable: true })).url);
    const folder = await tempFolder();
    const link = await newLink();
    await shippingLog(folder, url).append(clicksOn(link, 30));
    await rm(folder, { recursive: true });
    const { events } = streamDrainOf(core, url, { acknowledgeMs: 60_000 });
    await isCounted(link, 30);
    // Here it loses the positions only, so that the clicks count twice.
    await depsOf(core).pool.query("delete from click_segments");
    await isCounted(link, 60);
    expect(codes(events)).toEqual(["clicks_counted_again"]);
  });

  it("count once if a drain was lost between the parts of a large batch", async () => {
    const url = newStream((await startRedis({ durable: true })).url);
    const folder = await tempFolder();
    const links = await Promise.all(Array.from({ length: 12 }, newLink));
    const clicks = links.flatMap((link) => clicksOn(link, 10));
    const node = shippingLog(folder, url, "sync", 1_000_000);
    await node.append(clicks, 1);
    const store = storeOf(core);
    let stored = 0;
    const storeOne: typeof store.store = async (...args) => {
      if (stored++ >= 1) throw new Error("The node is lost");
      return await store.store(...args);
    };
    const dying = drainOf(core, folder, { splitFrom: 50, store: { ...store, store: storeOne } });
    await expect(dying.once()).rejects.toThrow("The node is lost");
    await rm(folder, { recursive: true });

    // Less than the batch has.
    streamDrainOf(core, url, { maxBytes: 1000 });
    for (const link of links) await isCounted(link, 10);
    await isEmpty(url);
    for (const link of links) expect((await countsOf(core, link)).links).toBe(10);
  });
});
