import { clickHouseMissing, startClickHouse, type TestClickHouse } from "@terse/testkit/clickhouse";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ClickHouseFailure, type Limits, openClickHouse } from "../../../src/clicks/clickhouse/connection.ts";
import { startStallingProxy } from "./stalling-proxy.ts";

describe.skipIf(clickHouseMissing)("a question for ClickHouse", () => {
  let server: TestClickHouse;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server.close());

  /** What becomes of a question: its failure, or null. */
  async function failureOf(url: string, limits: Limits, query: string): Promise<unknown> {
    const clickhouse = openClickHouse(url, limits);
    onTestFinished(() => clickhouse.close());
    return clickhouse.rows(query).then(
      () => null,
      (error: unknown) => error,
    );
  }

  it("is too much if ClickHouse gives it up, which is waited for", async () => {
    const limits = { questionMs: 100, waitMs: 60_000 };
    const failure = await failureOf(
      `${server.url}/default`,
      limits,
      "select count() from system.numbers where number % 7 = 1",
    );
    expect(failure).toBeInstanceOf(ClickHouseFailure);
    expect(failure).toMatchObject({ isTooMuch: true, code: "159" });
  });

  it.each([
    ["never begins", 0],
    ["does not end", 10_000],
  ])("is too much if its answer %s", async (_, bytes) => {
    const url = await startStallingProxy(`${server.url}/default`, bytes);
    const query = "select number, sipHash64(number) from numbers(100000)";
    const failure = await failureOf(url, { questionMs: 10_000, waitMs: 2000 }, query);
    expect(failure).toBeInstanceOf(ClickHouseFailure);
    expect(failure).toMatchObject({ isTooMuch: true });
  });

  it("is not too much if it is refused", async () => {
    const limits = { questionMs: 10_000, waitMs: 60_000 };
    const failure = await failureOf(`${server.url}/default`, limits, "select nothing");
    expect(failure).toBeInstanceOf(ClickHouseFailure);
    expect(failure).toMatchObject({ isTooMuch: false });
  });

  it("is a failure of ClickHouse also if it is answered in portions", async () => {
    const clickhouse = openClickHouse(`${server.url}/default`);
    onTestFinished(() => clickhouse.close());
    await expect(clickhouse.portions("select nothing").next()).rejects.toBeInstanceOf(ClickHouseFailure);
  });
});
