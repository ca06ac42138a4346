import { randomBytes, randomUUID } from "node:crypto";
import { createTestDatabase } from "@terse/postgres";
import { tempFolder, until } from "@terse/testkit";
import { natsMissing, startNats } from "@terse/testkit/nats";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedirectCore } from "../../../src/redirect-core.ts";
import type { CoreEvent, RedirectCore } from "../../../src/index.ts";
import { createTestCore, testServer } from "../../../src/testing.ts";
import { skewOf } from "../../../src/maintenance/database-watch.ts";

/** The longest time in which a node that is cut off may believe that it is ready, in milliseconds */
const limit = 2000;

const isOk = (core: RedirectCore, name: string) => core.state.checks()[name]?.ok === true;
const valueOf = (core: RedirectCore, name: string, labels: object = {}) =>
  core.meter
    .collect()
    .find((metric) => metric.name === name)
    ?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;

async function testCore(options: Parameters<typeof createTestCore>[0] = {}) {
  const test = await createTestCore(options);
  onTestFinished(() => test.close());
  return test;
}

describe("the state of a node", () => {
  it("fails within two seconds if the node is cut off, and is good again afterwards", async () => {
    const { databaseUrl } = await testCore();
    const proxy = await startTcpProxy(databaseUrl);
    const core = await createRedirectCore({ databaseUrl: proxy.url, shortBase: "http://short.test" });
    onTestFinished(() => core.close());
    core.redirects.watch();
    core.state.watch();
    expect(isOk(core, "database")).toBe(false);
    const names = ["database", "purge_channel", "migrations"];
    await until(() => names.every((name) => isOk(core, name)));
    proxy.fallSilent();
    await until(() => !isOk(core, "database") && !isOk(core, "purge_channel"), limit);
    expect(core.state.checks()["database"]?.reason).toEqual(expect.any(String));
    await proxy.resume();
    await until(() => names.every((name) => isOk(core, name)));
  });

  it.skipIf(natsMissing)(
    "stays ready while the click stream does not answer, and tells what waits",
    async () => {
      const server = await startNats();
      const { core } = await testCore({
        clickLog: {
          folder: await tempFolder(),
          stream: { url: `${server.url}?stream=state`, shipping: "sync" },
        },
      });
      const stream = () => core.state.checks()["click_stream"];
      expect(stream()).toEqual({ ok: true, detail: "the click stream takes clicks" });
      await server.kill();
      await core.clicks.record({ link_id: randomUUID() });
      await until(() => stream()?.detail.startsWith("the click stream does not answer") === true);
      expect(stream()?.ok).toBe(true);
      expect(valueOf(core, "terse_click_stream_open")).toBe(0);
      expect(valueOf(core, "terse_click_stream_waiting_bytes")).toBeGreaterThan(0);
      await server.restart();
      await until(() => stream()?.detail === "the click stream takes clicks");
      await until(() => valueOf(core, "terse_click_stream_waiting_bytes") === 0);
    },
  );

  it("says that the database has no tables until it is migrated", async () => {
    const database = await createTestDatabase(testServer().url, "template0");
    const core = await createRedirectCore({ databaseUrl: database.url, shortBase: "http://short.test" });
    onTestFinished(async () => {
      await core.close();
      await database.drop();
    });
    core.state.watch();
    await until(() => isOk(core, "database"));
    expect(isOk(core, "migrations")).toBe(false);
    await core.migrate();
    await until(() => isOk(core, "migrations"));
  });

  it.each([
    [5000, true],
    [3 * 3_600_000, false],
  ])("notices a clock that is off by %i ms; the node is ready: %s", async (off, ready) => {
    const events: CoreEvent[] = [];
    let shift = off;
    const { core } = await testCore({
      clock: () => new Date(Date.now() + shift),
      onEvent: (event) => events.push(event),
    });
    core.state.watch();
    await until(() => events.length > 0);
    expect(events).toEqual([expect.objectContaining({ code: "clock_skewed", level: "warn" })]);
    // The journey of question and answer makes the difference look smaller.
    expect(Math.abs(Number(events[0]?.["ahead_ms"]) + off)).toBeLessThan(Math.abs(off) / 2);
    expect(isOk(core, "clock")).toBe(ready);
    expect(valueOf(core, "terse_events_total", { code: "clock_skewed" })).toBe(1);
    shift = 0;
    await until(() => events.length > 1);
    expect(events[1]?.code).toBe("clock_right");
  });

  it("takes no slow answer for a wrong clock", () => {
    expect(skewOf({ sent: 1000, received: 9000, database: 5000 })).toBe(0);
    expect(skewOf({ sent: 1000, received: 1010, database: 61_010 })).toBe(60_000);
    expect(skewOf({ sent: 61_000, received: 61_010, database: 1000 })).toBe(-60_000);
  });

  it("measures what is logged, what is counted and what waits, apart from each other", async () => {
    const folder = await tempFolder();
    const { core, actor } = await testCore({ clickLog: { folder } });
    const { id } = await core.caller(await actor()).links.create({ url: "https://example.com/" });
    const balance = async () => {
      const { clicks, oldest } = (await core.clicks.backlog()) ?? { clicks: -1, oldest: null };
      return {
        logged: valueOf(core, "terse_clicks_logged_total"),
        counted: valueOf(core, "terse_clicks_counted_total"),
        waiting: clicks,
        isDated: oldest !== null,
      };
    };
    const visit = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          core.clicks.record({ link_id: id, user_agent: randomBytes(9).toString("hex") }),
        ),
      );
    await visit(300);
    await visit(1);
    expect(await balance()).toEqual({ logged: 301, counted: 0, waiting: 301, isDated: true });
    await core.clicks.drain();
    expect(await balance()).toEqual({ logged: 301, counted: 301, waiting: 0, isDated: false });
    await visit(20);
    expect(await balance()).toEqual({ logged: 321, counted: 301, waiting: 20, isDated: true });
    expect(valueOf(core, "terse_drain_batches_total", { result: "stored" })).toBe(1);
  });

  it("measures what waits in the click log while the database does not answer, also before its first answer", async () => {
    const { core: owner, actor, databaseUrl } = await testCore();
    const { id } = await owner.caller(await actor()).links.create({ url: "https://example.com/" });
    const proxy = await startTcpProxy(databaseUrl);
    const folder = await tempFolder();
    const open = async () => {
      const core = await createRedirectCore({
        databaseUrl: proxy.url,
        shortBase: "http://short.test",
        clickLog: { folder },
      });
      core.state.watch({ willDrain: true });
      return core;
    };
    const visit = (core: RedirectCore, count: number) =>
      Promise.all(Array.from({ length: count }, () => core.clicks.record({ link_id: id })));
    const waits = (core: RedirectCore, clicks: number) =>
      until(() => valueOf(core, "terse_click_backlog_clicks") === clicks);

    const first = await open();
    await visit(first, 30);
    first.clicks.startDrain();
    await until(() => valueOf(first, "terse_clicks_counted_total") === 30);
    await waits(first, 0);
    proxy.fallSilent();
    await visit(first, 20);
    await waits(first, 20);
    expect(valueOf(first, "terse_click_backlog_bytes")).toBeGreaterThan(0);
    const age = valueOf(first, "terse_click_backlog_seconds") ?? 0;
    await until(() => (valueOf(first, "terse_click_backlog_seconds") ?? 0) > age);
    await first.close(100);

    const second = await open();
    onTestFinished(() => second.close());
    // This process does not know how much of the log is counted.
    await waits(second, 50);
    await proxy.resume();
    await waits(second, 20);
    second.clicks.startDrain();
    await waits(second, 0);
  });

  it("says that the click log cannot be written", async () => {
    const { core } = await testCore({ clickLog: { folder: "/dev/null/clicks" } });
    expect(core.state.checks()["click_log"]).toEqual({
      ok: false,
      detail: "the click log cannot be written; clicks wait in memory",
      reason: "0 clicks waiting, 0 lost",
    });
  });
});
