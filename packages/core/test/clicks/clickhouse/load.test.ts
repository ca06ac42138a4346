import { clickHouseMissing, startClickHouse, type TestClickHouse } from "@terse/testkit/clickhouse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { load } from "../../../src/clicks/clickhouse/load.ts";
import { dropMonthsBefore } from "../../../src/clicks/clickhouse/copy.ts";
import { dropPartitionsBefore } from "../../../src/clicks/drain/store/partitions.ts";
import { firstIdAt } from "../../../src/clicks/click-id.ts";
import { acquireConnection } from "../../../src/db/connection.ts";
import { rejection } from "../../helpers.ts";
import { day, now, startService } from "./service.ts";

describe.skipIf(clickHouseMissing)("copying again", () => {
  let server: TestClickHouse;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server.close());

  it("knows months by the names of their partitions, and leaves others alone", async () => {
    const { pool, open, click, copied, counted } = await startService(server);
    await click(1000, 3);
    const [from, to] = [Date.UTC(2020, 0), Date.UTC(2021, 0)].map(firstIdAt);
    await pool.query(`create table clicks_by_hand partition of clicks for values from (${from}) to (${to})`);
    await (await open()).clickhouse?.catchUp();
    expect(await copied()).toEqual(await counted());
  });

  /** A copy of clicks in July, August, September and October, of which PostgreSQL has September and October. */
  async function startWithOlder() {
    const service = await startService(server);
    const { pool, open, click, clickhouse, owner } = service;
    for (const ago of [100, 70, 40, 2]) await click(ago * day);
    const node = await open();
    await node.clickhouse?.catchUp();
    await click(1000);
    await node.clickhouse?.catchUp();
    await dropPartitionsBefore(pool, now - 35 * day);
    const { analytics } = node.caller(owner);
    return {
      ...service,
      node,
      filtered: () => analytics.overview({ from: "2026-07-01", country: "DE" }),
      /** Makes ClickHouse what it was at a time. */
      restore: async (time: number) => {
        await clickhouse.run(`alter table clicks delete where id >= ${firstIdAt(time)}`);
        await clickhouse.run("truncate table shipments");
      },
    };
  }
  const refusal = (since: string) => ({
    code: "BAD_REQUEST",
    message: `from: filters only cover clicks since ${since}T00:00:00.000Z; choose that time or later`,
  });

  it("can be demanded, and keeps months that the database dropped, and what is known of others", async () => {
    const { pool, node, clickhouse, filtered, events } = await startWithOlder();
    const again = async () => {
      await pool.query("update clickhouse_copy set is_live = false");
      await node.clickhouse?.catchUp();
    };
    await again();
    expect(events.filter((code) => code === "clickhouse_loaded")).toHaveLength(2);
    expect(await filtered()).toMatchObject({ clicks: 5 });
    await dropMonthsBefore(pool, clickhouse, now - 80 * day);
    await again();
    expect(await rejection(filtered())).toMatchObject(refusal("2026-08-01"));
  });

  it("does not trust older months that PostgreSQL knows nothing of", async () => {
    const { pool, node, clickhouse, filtered } = await startWithOlder();
    await dropMonthsBefore(pool, clickhouse, now - 80 * day);
    await pool.query("truncate clickhouse_copy");
    await node.clickhouse?.catchUp();
    expect(await rejection(filtered())).toMatchObject(refusal("2026-09-01"));
  });

  it("sees that months were dropped after the backup that the database was restored from", async () => {
    const { pool, node, click, clickhouse, filtered } = await startWithOlder();
    await pool.query("create table backup as select * from clickhouse_copy");
    await dropMonthsBefore(pool, clickhouse, now - 80 * day);
    await click(500);
    await node.clickhouse?.catchUp();
    await pool.query(
      "update clickhouse_copy c set since = b.since, claimed = b.claimed, shipped = b.shipped from backup b",
    );
    await node.clickhouse?.catchUp();
    expect(await rejection(filtered())).toMatchObject(refusal("2026-08-01"));
  });

  it("fills what a restored ClickHouse lacks, if the database still has it", async () => {
    const { node, restore, filtered } = await startWithOlder();
    await restore(now - 20 * day);
    await node.clickhouse?.catchUp();
    expect(await filtered()).toMatchObject({ clicks: 5 });
  });

  it("leaves no hole unnoticed behind a ClickHouse that was restored from an old backup", async () => {
    const { pool, clickhouse, node, restore, filtered } = await startWithOlder();
    await restore(now - 80 * day);
    // An interruption does not hide it.
    const { database, release } = await acquireConnection(pool);
    await expect(load(pool, database, clickhouse, AbortSignal.abort())).rejects.toThrow();
    release();
    await node.clickhouse?.catchUp();
    expect(await rejection(filtered())).toMatchObject(refusal("2026-09-01"));
  });

  it("takes no interruption for a loss", async () => {
    const { pool, clickhouse, node, restore, filtered } = await startWithOlder();
    await restore(now - 20 * day);
    const { database, release } = await acquireConnection(pool);
    await expect(load(pool, database, clickhouse, AbortSignal.abort())).rejects.toThrow();
    release();
    await node.clickhouse?.catchUp();
    expect(await filtered()).toMatchObject({ clicks: 5 });
  });

  it("does not replace a month with the late clicks that the database has of it", async () => {
    const { pool, click, node, filtered } = await startWithOlder();
    await click(70 * day, 2);
    await node.clickhouse?.catchUp();
    expect(await filtered()).toMatchObject({ clicks: 7 });
    await pool.query("update clickhouse_copy set is_live = false");
    await node.clickhouse?.catchUp();
    expect(await filtered()).toMatchObject({ clicks: 7 });
  });

  it("is done once when ClickHouse was made anew, also if no click follows", async () => {
    const { node, clickhouse, copied, counted, filtered, events } = await startWithOlder();
    await clickhouse.run("drop table clicks");
    await clickhouse.run("drop table shipments");
    for (let times = 0; times < 3; times++) await node.clickhouse?.catchUp();
    expect(events.filter((code) => code === "clickhouse_loaded")).toHaveLength(2);
    expect(await copied()).toEqual(await counted());
    expect(await rejection(filtered())).toMatchObject(refusal("2026-09-01"));
  });
});
