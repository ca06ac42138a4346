import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createCountDirectly } from "../../../src/clicks/drain/count-directly.ts";
import { newWriter } from "../../../src/clicks/log/segment-name.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import type { CoreEvent } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, filesIn, number, storeOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

/** A log whose folder cannot be created until `unblock`, and which counts directly in between. */
async function blockedLog(refuse = async (stored: Promise<unknown>) => void (await stored)) {
  const blocker = join(await tempFolder(), "blocker");
  await writeFile(blocker, "");
  const folder = join(blocker, "clicks");
  const writer = newWriter();
  const countDirectly = createCountDirectly(depsOf(core).pool, storeOf(core), writer);
  const events: CoreEvent[] = [];
  const log = new ClickLog({
    folder,
    writer,
    fsync: "off",
    retryMs: 20,
    onEvent: (event) => events.push(event),
    async countDirectly(segment, frames) {
      const counted = countDirectly(segment, frames);
      await refuse(counted);
      return counted;
    },
  });
  onTestFinished(() => log.close());
  const { id } = await core.caller(await actor("pro")).links.create({ url });
  const visit = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () => new Promise<void>((done) => log.append(clickOn(id), done))),
    );
  return { id, folder, log, events, visit, unblock: () => rm(blocker) };
}

describe("clicks that the disk refuses", () => {
  it("are counted directly while the disk fails, and when the log is closed", async () => {
    const { id, log, visit, events } = await blockedLog();
    await visit(50);
    await until(() => log.stats().queued === 0);
    expect(await countsOf(core, id)).toEqual(exactly(50));
    expect(log.stats().degraded).toBe(true);
    await visit(30);
    await log.close();
    expect(log.stats().lost).toBe(0);
    expect(await countsOf(core, id)).toEqual(exactly(80));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
    expect(events.map(({ code }) => code)).toEqual(["click_log_write_failing"]);
  });

  it("are counted once if the answer of the database is lost, and the disk takes them later", async () => {
    let isAnswerLost = true;
    const { id, folder, log, visit, unblock } = await blockedLog(async (stored) => {
      await stored;
      if (isAnswerLost) throw new Error("Connection terminated");
    });
    await visit(50);
    await until(async () => (await number(core, "select count(*) from click_segments")) === 1);
    await visit(20);
    await unblock();
    await until(() => !log.stats().degraded);
    isAnswerLost = false;
    await visit(10);
    await log.close();
    const drain = drainOf(core, folder);
    await drain.once();
    expect(log.stats().lost).toBe(0);
    expect(await countsOf(core, id)).toEqual(exactly(80));
    expect(await filesIn(folder)).toEqual([]);
  });

  it("wait in memory if the database does not take them either, and then go to the disk", async () => {
    const { id, folder, log, visit, unblock } = await blockedLog(() => Promise.reject(new Error("away")));
    await visit(50);
    expect(log.stats().queued).toBe(50);
    await unblock();
    await until(() => !log.stats().degraded);
    await log.close();
    await drainOf(core, folder).once();
    expect(await countsOf(core, id)).toEqual(exactly(50));
  });
});
