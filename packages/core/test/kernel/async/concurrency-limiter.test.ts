import { Pool } from "pg";
import { afterAll, expect, it } from "vitest";
import { limiterPerPool } from "../../../src/kernel/async/concurrency-limiter.ts";
import { createTestCore } from "../../../src/testing.ts";
import { until } from "@terse/testkit";
import { depsOf, rejection } from "../../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const patient = 60_000;
/** A limiter of a pool of eight connections, of which the work may use four */
const turns = limiterPerPool("tests", 1 / 2)(new Pool({ max: 8 }));

it("gives slots to each account up to its share, and to waiting callers in order", async () => {
  const greedy = [await turns.acquire("greedy", patient), await turns.acquire("greedy", patient)];
  const order: string[] = [];
  const wait = async (account: string) => {
    const giveBack = await turns.acquire(account, patient);
    order.push(account);
    return giveBack;
  };
  const third = wait("greedy");
  const others = [await wait("one"), await wait("two")];
  const last = wait("three");
  expect(order).toEqual(["one", "two"]);
  others[0]?.();
  others.push(await last);
  greedy[0]?.();
  greedy.push(await third);
  expect(order).toEqual(["one", "two", "three", "greedy"]);
  for (const giveBack of [...greedy.slice(1), ...others.slice(1)]) giveBack();
});

it("refuses after the timeout, and gives no slot to a refused caller later", async () => {
  const held = [await turns.acquire("greedy", patient), await turns.acquire("greedy", patient)];
  expect(await rejection(turns.acquire("greedy", 5))).toEqual({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many tests are under way; try again shortly",
  });
  for (const giveBack of held) giveBack();
  const again = await Promise.all(["a", "a", "b", "b"].map((account) => turns.acquire(account, 5)));
  for (const giveBack of again) giveBack();
});

it("gives an account one share of several pools together, and a freed slot to who waits at another pool", async () => {
  const turnsOf = limiterPerPool("tests", 1 / 2);
  const [primary, replica] = [turnsOf(new Pool({ max: 8 })), turnsOf(new Pool({ max: 8 }))];
  const held = [await primary.acquire("greedy", patient), await replica.acquire("greedy", patient)];
  expect(await rejection(replica.acquire("greedy", 5))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const next = replica.acquire("greedy", patient);
  held.push(await replica.acquire("other", patient));
  held[0]?.();
  held.push(await next);
  for (const giveBack of held.slice(1)) giveBack();
});

const { pool } = depsOf(core);

/** Locks a table against reads until the returned function is called. */
async function blockReadsOf(table: string): Promise<() => Promise<void>> {
  const blocker = await pool.connect();
  await blocker.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => {
    await blocker.query("rollback");
    blocker.release();
  };
}

/** The number of statements that wait for a lock. */
async function waiting(): Promise<number | undefined> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting;
}

it("leaves connections for all others while one account's lists take long", async () => {
  const [slow, other] = [core.caller(await actor("pro")), core.caller(await actor("pro"))];
  const unblock = await blockReadsOf("links");
  const lists = Promise.all(Array.from({ length: 20 }, () => slow.links.list({ search: "e" })));
  // A list reads its page before its count.
  await until(async () => (await waiting()) === 1);
  expect(await other.domains.list()).toEqual([]);
  expect(await waiting()).toBe(1);
  await unblock();
  for (const { meta } of await lists) expect(meta.total).toBe(0);
});

it("leaves connections for all others while one account's reports take long", async () => {
  const [slow, other] = [core.caller(await actor("pro")), core.caller(await actor("pro"))];
  const unblock = await blockReadsOf("account_quarter_hours");
  // Different reports, because identical ones share a result.
  const zones = Intl.supportedValuesOf("timeZone").slice(0, 20);
  const reports = Promise.all(zones.map((tz) => slow.analytics.overview({ tz })));
  await until(async () => (await waiting()) === 2);
  expect((await other.links.list({})).data).toEqual([]);
  expect(await waiting()).toBe(2);
  await unblock();
  for (const report of await reports) expect(report.clicks).toBe(0);
});
