import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withExportSlot } from "../../src/analytics/export-limiter.ts";
import { firstIdAt } from "../../src/clicks/index.ts";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
import { until } from "@terse/testkit";
import { depsOf, rejection, url } from "../helpers.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);

const rows = 300_000;
const owner = await actor("pro");
const caller = core.caller(owner);

/** Clicks of the last 25 days on some links, in all tables that say how many there were. */
beforeAll(async () => {
  const links = await Promise.all(
    Array.from({ length: 20 }, (_, at) => caller.links.create({ url: `${url}?${"x".repeat(at * 100)}` })),
  );
  const id = (text: string) => `(${firstIdAt(1)}::bigint * ${text})`;
  const month = (name: string, from: string, to: string) =>
    pool.query(
      `create table ${name} partition of clicks for values from (${firstIdAt(Date.parse(from))}) to (${firstIdAt(Date.parse(to))})`,
    );
  await month("clicks_2026_10", "2026-10-01", "2026-11-01");
  await month("clicks_2026_11", "2026-11-01", "2026-12-01");
  await pool.query(`insert into click_clients (country, device, browser, os)
    select 'C' || n, 'mobile', '', 'iOS' from generate_series(1, 50) n`);
  await pool.query(
    `insert into click_referrers (referrer) select 'r' || n || '.example' from generate_series(1, 5000) n`,
  );
  const span = 25 * 86_400_000;
  await pool.query(
    `insert into clicks (id, link_id, account_number, client_id, referrer_id, is_bot, is_unique)
     select ${id(`(${now - span} + n::bigint * ${span} / ${rows})`)} + n % 1000,
       ($1::uuid[])[1 + n % 20], (select number from users where id = $2),
       1 + n % 50, 1 + n % 5000, false, n % 2 = 0
     from generate_series(1, ${rows}) n`,
    [links.map((link) => link.id), owner.account.id],
  );
});

const bodyOf = ({ body }: FileReply) => (body as AsyncIterable<string>)[Symbol.asyncIterator]();
const busy = async () => pool.totalCount - pool.idleCount;

describe("an export of many clicks", () => {
  it("has each of them once, in their order, and takes no more memory for more rows", async () => {
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    let lines = -1;
    let rest = "";
    let last = "";
    for await (const piece of (await caller.analytics.export({ period: "30d" })).body) {
      const [...complete] = (rest + piece).split("\r\n");
      rest = complete.pop() ?? "";
      for (const line of complete) {
        lines++;
        if (lines === 0) continue;
        const timestamp = line.slice(0, 24);
        if (timestamp < last) throw new Error(`${timestamp} comes after ${last}`);
        last = timestamp;
      }
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
    expect(lines).toBe(rows);
    expect(rest).toBe("");
    // The file has some 200 MB.
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
    await until(async () => (await busy()) === 0);
  });

  it("is an array that a parser takes whole", async () => {
    let text = "";
    for await (const piece of (await caller.analytics.export({ period: "24h", format: "json" })).body)
      text += piece;
    const parsed = JSON.parse(text) as Record<string, unknown>[];
    const [first] = parsed;
    expect(parsed.length).toBeGreaterThan(10_000);
    expect(Object.keys(first ?? {})).toEqual(
      "timestamp link_id slug domain destination country device browser os referrer unique".split(" "),
    );
    expect(first).toMatchObject({ domain: "short.test", browser: "unknown", device: "mobile" });
  });

  it("gives its connection back when its reader leaves in the middle, and reads no further", async () => {
    const body = bodyOf(await caller.analytics.export({ period: "30d" }));
    await body.next();
    expect(await busy()).toBe(1);
    await body.return?.();
    expect(await busy()).toBe(0);
    const { rows: running } = await pool.query(
      `select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    expect(running).toEqual([]);
  });

  it("begins no work until somebody reads", async () => {
    await caller.analytics.export({ period: "30d" });
    expect(await busy()).toBe(0);
  });

  it("leaves connections for everybody else, however many export at once and stand still", async () => {
    const others = await Promise.all(Array.from({ length: 3 }, async () => core.caller(await actor("pro"))));
    const callers = [caller, ...others];
    const bodies = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        bodyOf(await (callers[at % 4] ?? caller).analytics.export({ period: "30d" })),
      ),
    );
    const pieces = bodies.map((body) => body.next());
    await until(async () => (await busy()) === 2);
    expect((await caller.analytics.overview({})).locked).toBe(false);
    expect(await busy()).toBe(2);
    // As those in front leave, the others come to their turn.
    for (const [at, body] of bodies.entries()) {
      expect((await pieces[at])?.done).toBe(false);
      await body.return?.();
    }
    expect(await busy()).toBe(0);
  });
});

describe("a turn", () => {
  async function* endless(): AsyncGenerator<string, void> {
    for (;;) yield "piece";
  }
  it("is refused with 503 to those who have waited too long", async () => {
    const patience = { turnMs: 10, clientMs: 60_000 };
    const turns = Array.from({ length: 3 }, (_, at) =>
      withExportSlot(pool, `account ${at}`, endless, patience),
    );
    const [first, second, third] = turns as [AsyncGenerator, AsyncGenerator, AsyncGenerator];
    await first.next();
    await second.next();
    expect(await rejection(third.next())).toEqual({
      code: "SERVICE_UNAVAILABLE",
      message: "Too many exports are under way; try again shortly",
    });
    await first.return(undefined);
    await second.return(undefined);
    const again = withExportSlot(pool, "account 2", endless, patience);
    expect(await again.next()).toEqual({ done: false, value: "piece" });
    await again.return();
  });

  it("is left for others by an account that has its share, however many exports it begins", async () => {
    const patience = { turnMs: 10_000, clientMs: 60_000 };
    const [first, second, third] = Array.from({ length: 3 }, () =>
      withExportSlot(pool, "greedy", endless, patience),
    ) as [AsyncGenerator, AsyncGenerator, AsyncGenerator];
    await first.next();
    const waiting = [second.next(), third.next()];
    const other = withExportSlot(pool, "another", endless, { ...patience, turnMs: 10 });
    expect(await other.next()).toEqual({ done: false, value: "piece" });
    // A turn that comes free is for who waits, as far as it is not the greedy one's second.
    await other.return();
    expect(await busy()).toBe(1);
    for (const [at, turn] of [first, second, third].entries()) {
      await turn.return(undefined);
      expect(await waiting[at]).toEqual(at < 2 ? { done: false, value: "piece" } : undefined);
    }
    expect(await busy()).toBe(0);
  });

  it("ends where its client stands still, and fails for it rather than being short", async () => {
    const turn = withExportSlot(pool, "an account", endless, { turnMs: 10, clientMs: 20 });
    await turn.next();
    await until(async () => (await busy()) === 0);
    await expect(turn.next()).rejects.toThrow("did not read on");
  });

  it("is given back where its work fails", async () => {
    async function* failing(): AsyncGenerator<string, void> {
      yield "piece";
      throw new Error("in the middle");
    }
    for (let times = 0; times < 5; times++) {
      const turn = withExportSlot(pool, "an account", failing);
      await turn.next();
      await expect(turn.next()).rejects.toThrow("in the middle");
    }
    expect(await busy()).toBe(0);
  });
});
