import { clickHouseMissing, startClickHouse, type TestClickHouse } from "@terse/testkit/clickhouse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstIdAt } from "../../src/clicks/index.ts";
import { startService } from "./service.ts";

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
});
