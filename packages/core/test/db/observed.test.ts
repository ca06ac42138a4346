import { until } from "@terse/testkit";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { expect, it, onTestFinished } from "vitest";
import type { CoreEvent } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

async function coreWith(options: Parameters<typeof createTestCore>[0]) {
  const events: CoreEvent[] = [];
  const test = await createTestCore({ ...options, onEvent: (event) => events.push(event) });
  onTestFinished(() => test.close());
  return { ...test, events };
}

it("a slow statement is reported by its name or text, without its parameters", async () => {
  const { core, events } = await coreWith({ slowStatementMs: 250 });
  const { pool } = depsOf(core);
  await pool.query("select 1");
  await pool.query("select pg_sleep(0.3),\n   $1::text", ["secret"]);
  await pool.query({ name: "sleepy", text: "select pg_sleep(0.3), 2" }).catch(() => {});
  const slow = events.filter(({ code, statement }) => code === "slow_statement" && statement !== "select 1");
  expect(slow).toMatchObject([{ statement: "select pg_sleep(0.3), $1::text" }, { statement: "sleepy" }]);
  expect(JSON.stringify(events)).not.toContain("secret");
  expect(Number(slow[0]?.["ms"])).toBeGreaterThanOrEqual(250);
});

it("connections say which program opened them", async () => {
  const { core } = await coreWith({});
  const { rows } = await depsOf(core).pool.query("select current_setting('application_name') as name");
  expect(rows).toEqual([{ name: "terse" }]);
});

it.skipIf(redisMissing)("losing Redis and having it back is said once each", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const { core, events } = await coreWith({ redisUrl: redis.url });
  await until(() => depsOf(core).redis?.status === "ready");
  const condition = () =>
    core.meter
      .collect()
      .find(({ name }) => name === "terse_condition")
      ?.samples.find(({ labels }) => labels["code"] === "redis_lost")?.value;
  expect(condition()).toBe(0);
  await redis.kill();
  await until(() => events.length > 0);
  expect(condition()).toBe(1);
  await redis.restart();
  await until(() => events.length > 1);
  expect(events.map(({ code }) => code)).toEqual(["redis_lost", "redis_restored"]);
  expect(condition()).toBe(0);
  expect(events[0]?.["reason"]).toEqual(expect.stringMatching(/\w/));
});
