import { tempFolder, until } from "@terse/testkit";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { type CoreEvent, createCore } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, depsOf, url } from "../helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);

/** A core that counts, and what it reports. */
async function counting(to: string) {
  const events: CoreEvent[] = [];
  const node = await createCore({
    databaseUrl: to,
    shortBase: "http://short.test",
    clickLog: { folder: await tempFolder() },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => node.close());
  node.clicks.startDrain();
  return { node, left: () => events.filter(({ code }) => code === "clicks_left") };
}

it("a core that closes says what it leaves in the log, also if it is cut off in the middle of a batch", async () => {
  const { id } = await core.caller(await actor()).links.create({ url });
  const { pool } = depsOf(core);
  const locking = await pool.connect();
  onTestFinished(() => locking.release());
  await locking.query("begin");
  await locking.query("select from links where id = $1 for update", [id]);
  const { node, left } = await counting(databaseUrl);
  for (let click = 0; click < 3; click++) await node.clicks.record(clickOn(id));
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await until(async () => (await pool.query(waiting)).rowCount === 1);
  await node.close(1200);
  expect(left()).toEqual([
    expect.objectContaining({ clicks: 3, bytes: expect.any(Number), not_in_stream: 0 }),
  ]);
  await locking.query("rollback");
});

it("a core that closes without its database says how long the log is", async () => {
  const { id } = await core.caller(await actor()).links.create({ url });
  const proxy = await startTcpProxy(databaseUrl);
  const { node, left } = await counting(proxy.url);
  await node.ping();
  proxy.fallSilent();
  await node.clicks.record(clickOn(id));
  await node.close(1200);
  expect(left()).toEqual([expect.objectContaining({ clicks: undefined, bytes: expect.any(Number) })]);
});

it("a core that has counted all says nothing", async () => {
  const { id } = await core.caller(await actor()).links.create({ url });
  const { node, left } = await counting(databaseUrl);
  await node.clicks.record(clickOn(id));
  await node.clicks.drain();
  await node.close();
  expect(left()).toEqual([]);
});
