import { clickHouseMissing, startClickHouse, type TestClickHouse } from "@terse/testkit/clickhouse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromClicks } from "../../../src/analytics/questions/source.ts";
import { load } from "../../../src/clicks/clickhouse/load.ts";
import { dropMonthsBefore } from "../../../src/clicks/clickhouse/copy.ts";
import { ClickHouseFailure } from "../../../src/clicks/clickhouse/connection.ts";
import { acquireConnection } from "../../../src/db/connection.ts";
import { depsOf } from "../../helpers.ts";
import { day, now, startService } from "./service.ts";

type Service = Awaited<ReturnType<typeof startService>>;

/** What another node may do while a report is made. */
const changes: Record<string, (service: Service) => Promise<unknown>> = {
  "drops a month": ({ pool, clickhouse }) => dropMonthsBefore(pool, clickhouse, now - 50 * day),
  async "begins to copy again"({ pool, clickhouse }) {
    const { database, release } = await acquireConnection(pool);
    await expect(load(pool, database, clickhouse, AbortSignal.abort())).rejects.toThrow();
    release();
  },
  async "copies again"({ pool, open, clickhouse }) {
    const other = await open();
    await pool.query("update clickhouse_copy set is_live = false");
    await clickhouse.run("alter table clicks drop partition 202610");
    await other.clickhouse?.catchUp();
  },
};

describe.skipIf(clickHouseMissing)("reading the copy in ClickHouse", () => {
  let server: TestClickHouse;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server.close());

  async function startWithClicks() {
    const service = await startService(server);
    for (const ago of [100, 2]) await service.click(ago * day);
    const node = await service.open();
    await node.clickhouse?.catchUp();
    return { ...service, node, deps: depsOf(node) };
  }

  it.each(Object.keys(changes))("is done without for a report during which another node %s", async (name) => {
    const service = await startWithClicks();
    const answers: string[] = [];
    const found = await fromClicks(service.deps, async ({ copy, isClickHouseDown }) => {
      if (copy !== null) await changes[name]?.(service);
      const answer = copy === null ? `the database, away: ${isClickHouseDown}` : "ClickHouse";
      answers.push(answer);
      return answer;
    });
    expect(answers).toEqual(["ClickHouse", "the database, away: true"]);
    expect(found).toBe("the database, away: true");
  });

  it("is not done without for a report during which clicks arrive", async () => {
    const { deps, click } = await startWithClicks();
    const found = await fromClicks(deps, async ({ copy }) => {
      await click(1000);
      await deps.clickhouse?.catchUp();
      return copy !== null;
    });
    expect(found).toBe(true);
  });

  it.each(Object.keys(changes))("ends an export before which another node %s", async (name) => {
    const service = await startWithClicks();
    const begin = () => service.node.caller(service.owner).analytics.export({ period: "all" });
    const linesOf = async ({ body }: Awaited<ReturnType<typeof begin>>) => {
      let text = "";
      for await (const piece of body) text += piece;
      return text.trim().split("\n").length - 1;
    };
    expect(await linesOf(await begin())).toBe(2);
    const begun = await begin();
    await changes[name]?.(service);
    await expect(linesOf(begun)).rejects.toBeInstanceOf(ClickHouseFailure);
  });
});
