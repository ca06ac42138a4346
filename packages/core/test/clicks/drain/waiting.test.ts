import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing/index.ts";
import { clickOn, url } from "../../helpers.ts";

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
