import { natsMissing, startNats } from "@terse/testkit/nats";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { describe, expect, it, onTestFinished } from "vitest";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { newStream } from "./helpers.ts";

describe.each([
  { name: "Redis", missing: redisMissing, start: () => startRedis({ durable: true }) },
  { name: "JetStream", missing: natsMissing, start: startNats },
])("a stream in $name", ({ missing, start }) => {
  it.skipIf(missing)("has its entries in order, from a place on, and deletes them up to one", async () => {
    const url = newStream((await start()).url);
    const stream = openClickStream(url);
    onTestFinished(() => stream.close());
    expect(await stream.open()).toBeNull();
    expect(await stream.oldest()).toBeNull();
    for (const text of ["a", "b", "c", "d"]) await stream.add(Buffer.from(text));
    const texts = async (after: string | null, max = 10) =>
      (await stream.read(after, max)).map(({ body }) => body.toString()).join("");
    const all = await stream.read(null, 10);
    expect(await texts(null, 2)).toBe("ab");
    expect(await texts(all[1]?.id ?? null)).toBe("cd");
    expect(await texts(all[3]?.id ?? null)).toBe("");
    expect(await stream.oldest()).toBeGreaterThan(Date.now() - 60_000);

    // A place in another stream, such as the one that was used before, is before all entries.
    for (const other of ["", "redis:other:1795362965793-0", "nats:other:1795362965793:3"]) {
      expect(await texts(other)).toBe("abcd");
      await stream.trim(other);
      expect(await texts(null)).toBe("abcd");
    }
    // A place that the server has lost is after all entries.
    const later = (all[3]?.id ?? "").replace(/\d+(-\d+)?$/, (number) => `9${number}`);
    const places = ["redis:other:1795362965793-0", all[0]?.id, all[3]?.id, later].map((id) => id ?? "");
    expect(await Promise.all(places.map((id) => stream.endsBefore(id)))).toEqual([false, false, false, true]);
    await stream.trim(all[1]?.id ?? "");
    expect(await texts(null)).toBe("cd");
    await stream.trim(all[3]?.id ?? "");
    expect(await texts(null)).toBe("");
  });
});
