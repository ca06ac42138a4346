import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { backlogOf } from "../../../src/clicks/drain/backlog.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, unknownId, url } from "../../helpers.ts";
import { logClicks } from "./helpers.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-waiting-"));
const { core, actor, close } = await createTestCore({ clickLog: { folder } });
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

it("clicks wait in the log until they are counted", async () => {
  const { id } = await core.caller(await actor("pro")).links.create({ url });
  expect(await core.clicks.waitingBytes()).toBe(0);
  await core.clicks.record(clickOn(id));
  const one = (await core.clicks.waitingBytes()) ?? expect.fail("no log");
  await core.clicks.record(clickOn(id));
  expect(await core.clicks.waitingBytes()).toBeGreaterThan(one);
  await core.clicks.drain();
  expect(await core.clicks.waitingBytes()).toBe(0);
});

it("the estimate of a long log does not depend on where reading stops", async () => {
  const long = await tempFolder();
  await logClicks(
    long,
    Array.from({ length: 400 }, (_, at) => clickOn(unknownId, { address: `10.0.1.${at & 255}` })),
    { segmentBytes: 20_000 },
  );
  const { pool } = depsOf(core);
  const exact = await backlogOf(pool, long);
  expect(exact.clicks).toBe(400);
  const usual = exact.bytes / 160;
  // A frame has seven clicks, so that reading stops at each place in one.
  for (let maxBytes = 0; maxBytes < 1600; maxBytes += 20) {
    const { clicks } = await backlogOf(pool, long, maxBytes);
    expect([maxBytes, Math.abs(clicks - usual) < 60]).toEqual([maxBytes, true]);
  }
});
