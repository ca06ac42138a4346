import { tempFolder, until } from "@terse/testkit";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { newWriter, segmentId, self } from "../../../src/clicks/log/segment-name.ts";
import { FrameBuffer } from "../../../src/clicks/log/frames.ts";
import { writeFrameHeader } from "../../../src/clicks/log/format.ts";
import { decodeEntry, encodeEntry } from "../../../src/clicks/stream/entry.ts";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, url as destination, unknownId } from "../../helpers.ts";
import { countsOf, exactly, number } from "../drain/helpers.ts";
import { shippingLog, streamDrainOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
await depsOf(core).pool.query("update click_stream set holder = 'test'");

const newSegment = () => segmentId({ since: 1, writer: newWriter(), number: 0, owner: self });

/** A frame with one click, with a whole checksum whatever is in it. */
function frameOf(link: string): Buffer {
  const buffer = new FrameBuffer();
  buffer.add(clickOn(link));
  buffer.seal();
  return Buffer.from(buffer.bytes.subarray(0, buffer.end));
}

function changed(entry: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(entry);
  copy[at] = byte;
  return copy;
}

const frame = frameOf(unknownId);
const entry = encodeEntry(newSegment(), 8, frame);

describe("an entry", () => {
  it("has the frames and where they belong", () => {
    const segment = newSegment();
    expect(decodeEntry(encodeEntry(segment, 12_345, frame))).toMatchObject({
      segment,
      writer: segment.slice(15, 47),
      from: 12_345,
      to: 12_345 + frame.length,
      bytes: frame,
    });
  });

  it.each([
    ["nothing", Buffer.alloc(0), "foreign"],
    ["another program's", Buffer.from('{"event":"click"}'), "foreign"],
    ["of another version", changed(entry, 7, 2), "unknown version"],
    ["cut off in its head", entry.subarray(0, 11), "damaged"],
    ["cut off in its frame", entry.subarray(0, -1), "damaged"],
    ["with another offset", changed(entry, 12, 9), "damaged"],
    ["without a frame", encodeEntry(newSegment(), 8, Buffer.alloc(0)), "damaged"],
    ["with a frame that is not whole", encodeEntry(newSegment(), 8, frame.subarray(0, -1)), "damaged"],
    ["of a file elsewhere", encodeEntry("../../etc/passwd", 8, frame), "damaged"],
    ["in the header of a segment", encodeEntry(newSegment(), 0, frame), "damaged"],
  ])("that is %s is skipped", (_name, body, reason) => {
    expect(decodeEntry(body)).toBe(reason);
  });
});

it.skipIf(redisMissing)(
  "what others wrote into the stream does not stop the counting of clicks",
  async () => {
    const { url } = await startRedis({ durable: true });
    const folder = await tempFolder();
    const { id: link } = await core.caller(await actor()).links.create({ url: destination });
    const node = shippingLog(folder, url, "sync");
    const clicks = Array.from({ length: 20 }, (_, index) => clickOn(link, { address: `10.0.0.${index}` }));
    const redis = new Redis(url);
    const add = (body: string | Buffer) => redis.xadd("terse-clicks", "*", "e", body);
    await redis.xadd("terse-clicks", "*", "other", "fields");
    await add("noise");
    await add(changed(entry, 7, 255));
    await add(changed(entry, 30, 0));
    // After a gap; and of a link that does not exist, which counts nothing.
    await add(encodeEntry(newSegment(), 100, frame));
    await add(encodeEntry(newSegment(), 8, frame));
    // A click whose lengths do not fit its frame: another version wrote it.
    const odd = Buffer.from(frame);
    odd.writeUInt16LE(2, 6);
    writeFrameHeader(odd, 0, odd.length, 2, 0);
    await add(encodeEntry(newSegment(), 8, odd));
    await node.append(clicks);

    const drain = streamDrainOf(core, url);
    const isCounted = async () =>
      (await number(core, "select click_count from links where id = $1", [link])) === clicks.length;
    await until(isCounted);
    const rest = openClickStream(url);
    await until(async () => (await rest.read(null, 1)).length === 0);
    await rest.close();
    redis.disconnect();
    expect(await countsOf(core, link)).toEqual(exactly(clicks.length));
    expect(drain.events.map(({ code }) => code).toSorted()).toEqual([
      "click_stream_entries_skipped",
      "click_stream_entries_skipped",
      "click_stream_entries_skipped",
      "click_stream_gap",
      "click_stream_segment_refused",
    ]);
  },
);

it.skipIf(redisMissing)(
  "a key that is no stream leaves clicks on the disk, and visitors are answered",
  async () => {
    const { url } = await startRedis({ durable: true });
    const redis = new Redis(url);
    await redis.set("terse-clicks", "a text");
    redis.disconnect();
    const node = shippingLog(await tempFolder(), url, "sync");
    await node.append([clickOn(unknownId)]);
    expect(node.events.map(({ code }) => code)).toEqual(["click_stream_unavailable"]);
  },
);
