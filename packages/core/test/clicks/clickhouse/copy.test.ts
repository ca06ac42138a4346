import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@terse/testkit";
import { clickHouseMissing, startClickHouse, type TestClickHouse } from "@terse/testkit/clickhouse";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { CoreOptions } from "../../../src/index.ts";
import type { ClickHouseConnection } from "../../../src/clicks/clickhouse/connection.ts";
import { createCopy, dropMonthsBefore } from "../../../src/clicks/clickhouse/copy.ts";
import { load } from "../../../src/clicks/clickhouse/load.ts";
import { acquireConnection } from "../../../src/db/connection.ts";
import { openPool } from "../../../src/db/pool.ts";
import { depsOf, rejection } from "../../helpers.ts";
import { packClicks } from "../blocks/helpers.ts";
import { day, now, startService } from "./service.ts";

describe.skipIf(clickHouseMissing)("a copy in ClickHouse", () => {
  let server: TestClickHouse;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server.close());

  const setUp = (options: Partial<CoreOptions> = {}) => startService(server, options);

  it("begins with what the database has, as rows and in blocks, and follows what is counted", async () => {
    const { core, open, click, copied, counted, owner, events } = await setUp();
    await click(40 * day, 3);
    await click(3 * day, 4, "FR");
    const before = await counted();
    await packClicks(core, Math.floor(now / day) * day - day);
    const node = await open();
    await node.clickhouse?.catchUp();
    expect(await copied()).toEqual(before);
    await click(1000, 2);
    const { analytics } = node.caller(owner);
    const { clicks, countries } = await analytics.overview({ period: "90d", device: "desktop" });
    expect(clicks).toBe(9);
    expect(countries).toEqual([
      { country: "DE", clicks: 5 },
      { country: "FR", clicks: 4 },
    ]);
    expect(await core.caller(owner).analytics.overview({ period: "90d", device: "desktop" })).toEqual(
      await analytics.overview({ period: "90d", device: "desktop" }),
    );
    expect(events).toEqual(["clickhouse_loading", "clickhouse_loaded"]);
  });

  it("takes as long as it needs: a connection of its own is never silent for as long as a lost one", async () => {
    const { core, databaseUrl, click, copied, counted, clickhouse } = await setUp();
    for (let month = 1; month <= 5; month++) await click(month * 30 * day, month);
    const before = await counted();
    await packClicks(core, Math.floor(now / day) * day - day);
    const silenceMs = 1000;
    const pool = openPool(databaseUrl, { size: 2, silenceMs });
    onTestFinished(() => pool.end());
    const slow: ClickHouseConnection = {
      ...clickhouse,
      async insert(...all) {
        await sleep(silenceMs / 2);
        await clickhouse.insert(...all);
      },
    };
    const { database, release } = await acquireConnection(pool);
    await load(pool, database, slow, new AbortController().signal);
    release();
    expect(await copied()).toEqual(before);
  });

  it("stores a shipment once that was sent twice, or whose sender ended in between", async () => {
    const { pool, open, click, copied, counted } = await setUp();
    const node = await open();
    await node.clickhouse?.catchUp();
    await click(1000, 5);
    await node.clickhouse?.catchUp();
    await click(2000, 3);
    // What a process leaves behind that ends after the insert and before the commit.
    await pool.query("create table kept as select * from clickhouse_queue");
    await pool.query("create table state as select * from clickhouse_copy");
    await node.clickhouse?.catchUp();
    await pool.query(`insert into clickhouse_queue overriding system value
      select number, (select claimed + 1 from state), clicks, rows from kept`);
    await pool.query("update clickhouse_copy set shipped = claimed - 1");
    const next = await open();
    await next.clickhouse?.catchUp();
    expect(await copied()).toEqual(await counted());
    const { rowCount } = await pool.query("select from clickhouse_queue");
    expect(rowCount).toBe(0);
  });

  it("has a server in tests that outlives clients which end while they send a request", async () => {
    const { port } = new URL(server.url);
    const client = connect(Number(port), "127.0.0.1");
    await once(client, "connect");
    client.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nselect");
    await until(async () => (await fetch(`${server.url}/ping`)).ok);
    client.resetAndDestroy();
    // It reads the end of the connection before it answers.
    for (let asked = 0; asked < 3; asked++) expect((await fetch(`${server.url}/ping`)).ok).toBe(true);
  });

  it("has each click once, however often the process that copies is killed", {
    tags: ["long"],
    timeout: 600_000,
  }, async () => {
    const { pool, open, click, copied, counted, databaseUrl, url } = await setUp();
    await click(1000, 100);
    await (await open()).clickhouse?.catchUp();
    const shipped = async () => {
      const { rows } = await pool.query<{ shipped: string }>("select shipped from clickhouse_copy");
      return Number(rows[0]?.shipped);
    };
    const program = join(import.meta.dirname, "copier.ts");
    let isOver = false;
    const counting = (async () => {
      while (!isOver) await click(randomInt(1, 20 * day), 20);
    })();
    for (let kill = 0; kill < 8; kill++) {
      const before = await shipped();
      const child = spawn(process.execPath, [program, databaseUrl, url], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      const ended = once(child, "exit");
      await until(async () => (await shipped()) > before + randomInt(1, 5));
      child.kill("SIGKILL");
      await ended;
    }
    isOver = true;
    await counting;
    await (await open()).clickhouse?.catchUp();
    expect(await copied()).toEqual(await counted());
  });

  it("is made again when the database has gone back in time", async () => {
    const { pool, open, click, copied, counted, events } = await setUp();
    const node = await open();
    await click(1000, 5);
    await node.clickhouse?.catchUp();
    await pool.query("create table state as select * from clickhouse_copy");
    const { rows } = await pool.query<{ last: string }>("select max(id) as last from clicks");
    await click(500, 4);
    await node.clickhouse?.catchUp();
    await pool.query("delete from clicks where id > $1", [rows[0]?.last]);
    await pool.query(`update clickhouse_copy c set claimed = s.claimed, shipped = s.shipped from state s`);
    for (const other of [node, await open()]) {
      await click(250, 2);
      await other.clickhouse?.catchUp();
      expect(await copied()).toEqual(await counted());
    }
    expect(events.filter((code) => code === "clickhouse_loaded")).toHaveLength(2);
  });

  it("is done without while ClickHouse is away, as far back as the database has clicks, and catches up", async () => {
    const { core, pool, open, click, copied, counted, owner } = await setUp();
    await click(40 * day, 2);
    const node = await open();
    await node.clickhouse?.catchUp();
    await pool.query("drop table clicks_2026_09");
    await pool.query("insert into click_months_dropped values ('2026-09-01')");
    const { analytics } = node.caller(owner);
    const asked = { period: "90d", country: "DE" } as const;
    expect(await analytics.overview(asked)).toMatchObject({ clicks: 2 });
    expect(await rejection(core.caller(owner).analytics.overview(asked))).toMatchObject({
      code: "BAD_REQUEST",
    });
    const exported = async () => {
      const { body } = await analytics.export({ period: "90d" });
      let text = "";
      for await (const piece of body) text += piece;
      return text.trim().split("\n").length - 1;
    };
    expect(await exported()).toBe(2);

    await server.kill();
    await click(1000, 3);
    expect(await analytics.overview({ period: "7d", country: "DE" })).toMatchObject({ clicks: 3 });
    expect(await analytics.overview({ period: "90d" })).toMatchObject({ clicks: 5 });
    for (const call of [() => analytics.overview(asked), exported])
      expect(await rejection(call())).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(node.clickhouse?.isUnavailable).toBe(true);
    expect(node.state.checks()["clickhouse"]).toMatchObject({ ok: true });

    await server.restart();
    expect(await analytics.overview(asked)).toMatchObject({ clicks: 5 });
    expect(await exported()).toBe(5);
    const [inDatabase, inCopy] = [await counted(), await copied()];
    expect(Number(inCopy?.[0])).toBe(Number(inDatabase?.[0]) + 2);
  });

  it("loses an account with it", async () => {
    const { open, click, copied, owner } = await setUp();
    await click(1000, 3);
    const node = await open();
    await node.clickhouse?.catchUp();
    await node.accounts.delete(owner.account.id);
    expect(await copied()).toEqual(["0", "0", "0"]);
  });

  it("loses months past their retention, which filters then refuse", async () => {
    const { pool, open, click, copied, owner, clickhouse } = await setUp();
    await click(400 * day, 2);
    await click(1000, 3);
    const node = await open();
    await node.clickhouse?.catchUp();
    expect(await dropMonthsBefore(pool, clickhouse, now - 100 * day)).toEqual([202509]);
    expect((await copied())?.[0]).toBe("3");
    const { analytics } = node.caller(owner);
    expect(await analytics.overview({ period: "all", country: "DE" })).toMatchObject({ clicks: 3 });
    const error = await rejection(analytics.overview({ from: "2025-01-01", country: "DE" }));
    expect(error).toMatchObject({
      code: "BAD_REQUEST",
      message: "from: filters only cover clicks since 2026-07-01T00:00:00.000Z; choose that time or later",
    });
  });

  it("loses no months while another node copies, which may be copying them", async () => {
    const { pool, open, click, copied, core, url, events } = await setUp();
    await click(100 * day, 2);
    await click(1000, 3);
    await (await open()).clickhouse?.catchUp();
    const { database, release } = await acquireConnection(pool);
    await database.query("select pg_advisory_lock(7230051)");
    let looks = 0;
    const clock = () => {
      looks++;
      return new Date(now);
    };
    const onEvent = ({ code }: { code: string }) => events.push(code);
    const copy = createCopy({ ...depsOf(core), clock, onEvent }, { url, retentionDays: 50 });
    onTestFinished(() => copy.close());
    copy.start();
    await until(() => looks > 1);
    expect((await copied())?.[0]).toBe("5");
    await database.query("select pg_advisory_unlock(7230051)");
    release();
    await until(() => events.includes("clickhouse_clicks_dropped"));
    expect((await copied())?.[0]).toBe("3");
  });
});
