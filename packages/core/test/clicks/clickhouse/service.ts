import type { TestClickHouse } from "@terse/testkit/clickhouse";
import { onTestFinished } from "vitest";
import { openClickHouse } from "../../../src/clicks/clickhouse/connection.ts";
import { createCore } from "../../../src/core.ts";
import type { CoreOptions } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf } from "../../helpers.ts";

export const now = Date.parse("2026-10-25T01:37:00Z");
export const day = 86_400_000;

/** A service without ClickHouse, an account with a link, and a way to start another node that has it. */
export async function startService(server: TestClickHouse, options: Partial<CoreOptions> = {}) {
  const { core, databaseUrl, actor, close } = await createTestCore({ clock: () => new Date(now) });
  const owner = await actor("pro");
  const link = await core.caller(owner).links.create({ url: "https://example.com/" });
  const url = `${server.url}/${new URL(databaseUrl).pathname.slice(1)}`;
  const clickhouse = openClickHouse(url);
  const events: string[] = [];
  const open = async () => {
    const node = await createCore({
      databaseUrl,
      shortBase: "http://short.test",
      clock: () => new Date(now),
      onEvent: ({ code }) => events.push(code),
      clickHouse: { url },
      ...options,
    });
    onTestFinished(() => node.close());
    return node;
  };
  onTestFinished(async () => {
    await clickhouse.close();
    await close();
  });
  const { pool } = depsOf(core);
  const click = (ago: number, count = 1, country = "DE") =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        core.clicks.record(clickOn(link.id, { time: now - ago, country, address: `10.0.0.${at}` })),
      ),
    );
  /** All clicks as ClickHouse has them: how many, of how many ids, and the sum of these */
  const copied = async () =>
    (await clickhouse.rows("select count(), uniqExact(id), sum(bitAnd(id, 1048575)) from clicks"))[0];
  const counted = async () => {
    const { rows } = await pool.query<{ all: string[] }>(
      `select array[count(*), count(distinct id), coalesce(sum(id & 1048575), 0)]::text[] as all from clicks
       where account_number is not null`,
    );
    return rows[0]?.all;
  };
  return { core, databaseUrl, url, pool, owner, open, click, copied, counted, events, clickhouse };
}
