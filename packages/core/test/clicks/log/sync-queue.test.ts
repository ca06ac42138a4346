import { openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SyncQueue } from "../../../src/clicks/log/sync-queue.ts";
import { tempFolder } from "@terse/testkit";

describe("the queue of syncs", () => {
  it("runs callbacks in order, and gathers what comes during a sync into one more", async () => {
    const file = await open(join(await tempFolder(), "file"), "a");
    const happened: (string | number)[] = [];
    const queue = new SyncQueue(() => happened.push("sync"));
    for (const number of [1, 2, 3]) queue.add(file.fd, { done: () => happened.push(number) });
    await queue.idle();
    expect(happened).toEqual(["sync", 1, "sync", 2, 3]);
    await file.close();
  });

  it("reports a failed sync, runs its callbacks all the same, and goes on", async () => {
    const file = await open(join(await tempFolder(), "file"), "a");
    const happened: unknown[] = [];
    const queue = new SyncQueue((error: NodeJS.ErrnoException | null) => happened.push(error?.code));
    // The null device cannot be synced: a real refusal.
    queue.add(openSync("/dev/null", "r"), { last: true, done: () => happened.push(1) });
    queue.add(file.fd, { done: () => happened.push(2) });
    await queue.idle();
    expect(happened).toEqual(["EINVAL", 1, undefined, 2]);
    await file.close();
  });
});
