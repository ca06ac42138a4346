import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withExportSlot } from "../../src/rpc/export-slot.ts";
import { firstIdAt } from "../../src/clicks/click-id.ts";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { until } from "@terse/testkit";
import { depsOf, rejection, url } from "../helpers.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);

const rows = 300_000;
const owner = await actor("pro");
const caller = core.caller(owner);

/** Raw clicks of the last 25 days on 20 links. */
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
    `insert into click_referrers (referrer, channel) select 'r' || n || '.example', 'other' from generate_series(1, 5000) n`,
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
  it("has each of them once, in order, in bounded memory", async () => {
    const before = process.memoryUsage().heapUsed;
    let peak = 0;
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
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    expect(lines).toBe(rows);
    expect(rest).toBe("");
    // The file is about 200 MB.
    expect(peak - before).toBeLessThan(150 * 1024 * 1024);
    await until(async () => (await busy()) === 0);
  });

  it("is valid JSON", async () => {
    let text = "";
    for await (const piece of (await caller.analytics.export({ period: "24h", format: "json" })).body)
      text += piece;
    const parsed = JSON.parse(text) as Record<string, unknown>[];
    const [first] = parsed;
    expect(parsed.length).toBeGreaterThan(10_000);
    expect(Object.keys(first ?? {})).toEqual(
      "timestamp link_id slug domain destination country device browser os referrer unique channel utm_source utm_medium utm_campaign utm_term utm_content bot region city".split(
        " ",
      ),
    );
    expect(first).toMatchObject({ domain: "short.test", browser: "unknown", device: "mobile" });
  });

  it("releases its connection when its reader leaves in the middle, and reads no further", async () => {
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

  it("does nothing until it is read", async () => {
    await caller.analytics.export({ period: "30d" });
    expect(await busy()).toBe(0);
  });

  it("leaves connections for other requests, however many exports stand still at once", async () => {
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
    // When an export ends, the next one starts.
    for (const [at, body] of bodies.entries()) {
      expect((await pieces[at])?.done).toBe(false);
      await body.return?.();
    }
    expect(await busy()).toBe(0);
  });
});

describe("an export slot", () => {
  async function* endless(): AsyncGenerator<string, void> {
    for (;;) yield "piece";
  }
  it("is refused with 503 after the timeout", async () => {
    const timeouts = { slotMs: 10, clientMs: 60_000 };
    const exports = Array.from({ length: 3 }, (_, at) =>
      withExportSlot(pool, `account ${at}`, endless, timeouts),
    );
    const [first, second, third] = exports as [AsyncGenerator, AsyncGenerator, AsyncGenerator];
    await first.next();
    await second.next();
    expect(await rejection(third.next())).toEqual({
      code: "SERVICE_UNAVAILABLE",
      message: "Too many exports are under way; try again shortly",
    });
    await first.return(undefined);
    await second.return(undefined);
    const again = withExportSlot(pool, "account 2", endless, timeouts);
    expect(await again.next()).toEqual({ done: false, value: "piece" });
    await again.return();
  });

  it("is left for others by an account that holds its share, however many exports it starts", async () => {
    const timeouts = { slotMs: 10_000, clientMs: 60_000 };
    const [first, second, third] = Array.from({ length: 3 }, () =>
      withExportSlot(pool, "greedy", endless, timeouts),
    ) as [AsyncGenerator, AsyncGenerator, AsyncGenerator];
    await first.next();
    const waiting = [second.next(), third.next()];
    const other = withExportSlot(pool, "another", endless, { ...timeouts, slotMs: 10 });
    expect(await other.next()).toEqual({ done: false, value: "piece" });
    // The slot that frees is not given to the account that holds its share, even though it waits.
    await other.return();
    expect(await busy()).toBe(1);
    for (const [at, each] of [first, second, third].entries()) {
      await each.return(undefined);
      expect(await waiting[at]).toEqual(at < 2 ? { done: false, value: "piece" } : undefined);
    }
    expect(await busy()).toBe(0);
  });

  it("is released if the client stops reading, and the export fails instead of being cut short", async () => {
    const stalled = withExportSlot(pool, "an account", endless, { slotMs: 10, clientMs: 20 });
    await stalled.next();
    await until(async () => (await busy()) === 0);
    await expect(stalled.next()).rejects.toThrow("stopped reading");
  });

  it("is released if the export fails", async () => {
    async function* failing(): AsyncGenerator<string, void> {
      yield "piece";
      throw new Error("in the middle");
    }
    for (let times = 0; times < 5; times++) {
      const broken = withExportSlot(pool, "an account", failing);
      await broken.next();
      await expect(broken.next()).rejects.toThrow("in the middle");
    }
    expect(await busy()).toBe(0);
  });
});
