import { openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SyncQueue } from "../../../src/clicks/log/segment-writer.ts";
import { tempFolder } from "@terse/testkit";

describe("the queue of syncs", () => {
  it("runs callbacks in order, and combines requests during a sync into one more", async () => {
    const file = await open(join(await tempFolder(), "file"), "a");
    const calls: (string | number)[] = [];
    const queue = new SyncQueue(() => calls.push("sync"));
    for (const number of [1, 2, 3]) queue.add(file.fd, { done: () => calls.push(number) });
    await queue.idle();
    expect(calls).toEqual(["sync", 1, "sync", 2, 3]);
    await file.close();
  });

  it("reports a failed sync, still runs its callbacks, and continues", async () => {
    const file = await open(join(await tempFolder(), "file"), "a");
    const calls: unknown[] = [];
    const queue = new SyncQueue((error: NodeJS.ErrnoException | null) => calls.push(error?.code));
    // The null device cannot be synced.
    queue.add(openSync("/dev/null", "r"), { last: true, done: () => calls.push(1) });
    queue.add(file.fd, { done: () => calls.push(2) });
    await queue.idle();
    expect(calls).toEqual(["EINVAL", 1, undefined, 2]);
    await file.close();
  });
});
