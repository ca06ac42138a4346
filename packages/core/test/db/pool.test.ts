import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createClickStore } from "../../src/clicks/drain/store/store.ts";
import { endConnections } from "../../src/db/connection.ts";
import { holdConnections, openPool, type PoolOptions, withDedicatedPool } from "../../src/db/pool.ts";
import { createRedirectCore } from "../../src/redirect.ts";
import { createTestCore } from "../../src/testing.ts";
import { countsOf, drainOf, exactly, logClicks } from "../clicks/drain/helpers.ts";
import { tempFolder, until } from "@terse/testkit";
import { clickOn, depsOf, url } from "../helpers.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);

function poolTo(to: string, options: Partial<PoolOptions>) {
  const pool = openPool(to, { size: 2, ...options });
  onTestFinished(() => endConnections(pool));
  return pool;
}

const limit = "select current_setting('statement_timeout') as limit";

describe("a statement", () => {
  it("that exceeds its time limit is cancelled, and its connection remains usable", async () => {
    const pool = poolTo(databaseUrl, { size: 1, statementMs: 50 });
    await expect(pool.query("select pg_sleep(600)")).rejects.toMatchObject({ code: "57014" });
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("of a client may take half a minute; those of a migration or rebuild have no limit", async () => {
    expect((await depsOf(core).pool.query(limit)).rows).toEqual([{ limit: "30s" }]);
    expect((await withDedicatedPool(databaseUrl, (pool) => pool.query(limit))).rows).toEqual([
      { limit: "0" },
    ]);
  });
});

describe("a server that falls silent", () => {
  it("fails the waiting query, and is reached again on a new connection", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const pool = poolTo(proxy.url, { size: 1, silenceMs: 2000 });
    await pool.query("select");
    proxy.fallSilent();
    await expect(pool.query("select")).rejects.toMatchObject({ code: "ETIMEDOUT" });
    await proxy.resume();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("fails a drain in the middle of a batch, which reports it and continues when the server is back", async () => {
    const { id } = await core.caller(await actor()).links.create({ url });
    const [proxy, folder] = [await startTcpProxy(databaseUrl), await tempFolder()];
    const pool = poolTo(proxy.url, { silenceMs: 2000 });
    const store = createClickStore({ pool, clock: () => new Date(), randomBytes });
    const { events, ...drain } = drainOf(core, folder, { pool, store });
    await logClicks(
      folder,
      Array.from({ length: 10 }, () => clickOn(id)),
    );

    const locking = await depsOf(core).pool.connect();
    onTestFinished(() => locking.release());
    await locking.query("begin");
    await locking.query("select from links where id = $1 for update", [id]);
    drain.start();
    // Everything is written except the link's own count.
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await depsOf(core).pool.query(waiting)).rowCount === 1);
    proxy.fallSilent();
    await until(() => events.length === 1);
    expect(events).toEqual([expect.objectContaining({ level: "error", err: expect.any(Error) })]);
    await locking.query("rollback");

    await proxy.resume();
    await until(() => events.length === 2);
    expect(events[1]).toMatchObject({ level: "info" });
    expect(await countsOf(core, id)).toEqual(exactly(10));
  });
});

describe("a server that refuses further connections", () => {
  /** A role that may have few connections. */
  async function limitedTo(count: number): Promise<string> {
    const { pool } = depsOf(core);
    const role = `limited_${randomBytes(4).toString("hex")}`;
    await pool.query(`create role ${role} login connection limit ${count}`);
    await pool.query(`grant select on all tables in schema public to ${role}`);
    onTestFinished(async () => {
      await pool.query(`drop owned by ${role}`);
      await pool.query(`drop role ${role}`);
    });
    const limited = new URL(databaseUrl);
    limited.username = role;
    return limited.href;
  }

  it("gets its statements over those that it has, and none fails", async () => {
    const pool = poolTo(await limitedTo(2), { size: 10 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => pool.query("select $1::int as at, pg_sleep(0.01)", [at])),
    );
    expect(answers.map(({ rows }) => rows[0].at)).toEqual(Array.from({ length: 40 }, (_, at) => at));
    // Limits that are shares of a pool are derived from its size at any moment.
    expect(pool.options.max).toBe(10);
  });

  it("is unavailable where there is none at all", async () => {
    const limited = await limitedTo(1);
    const [first, second] = [poolTo(limited, { size: 1 }), poolTo(limited, { size: 2 })];
    await holdConnections(first, 1);
    await expect(second.query("select")).rejects.toMatchObject({ code: "53300" });
  });

  it("is unavailable to many statements at once, too", async () => {
    const pool = poolTo(await limitedTo(0), { size: 10 });
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => pool.query("select")));
    const refused = { status: "rejected", reason: expect.objectContaining({ code: "53300" }) };
    expect(answers).toEqual(answers.map(() => refused));
  });

  it("is not given up while it may accept another connection", async () => {
    const proxy = await startTcpProxy(await limitedTo(1));
    const pool = poolTo(proxy.url, { size: 2 });
    const accepted = proxy.holdAnswersTo("user"); // which begins a connection
    const first = pool.query("select 1 as at");
    await accepted.isAnswered();
    const others = proxy.holdAnswersTo("none of these");
    const second = pool.query("select 2 as at");
    expect(pool.totalCount).toBe(2);
    await until(() => pool.totalCount === 1);
    accepted.release();
    others.release();
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ rows }) => rows[0].at)).toEqual([1, 2]);
  });

  it("keeps uncached links up: a refusal does not let the others fail fast", async () => {
    const links = await Promise.all(
      Array.from({ length: 30 }, () => core.caller({ kind: "anonymous" }).links.create({ url })),
    );
    const redirects = await createRedirectCore({
      databaseUrl: await limitedTo(2),
      shortBase: "http://short.test",
      poolSize: 10,
    });
    onTestFinished(() => redirects.close());
    const visit = { address: "8.8.8.8", headers: {} } as never;
    const decisions = await Promise.all(
      links.map(({ slug }) => redirects.redirects.resolve("short.test", slug, visit)),
    );
    expect(decisions.map(({ kind }) => kind)).toEqual(links.map(() => "redirect"));
  });
});

it("the drain's connections are open from its start, and stay open", async () => {
  const counting = await createRedirectCore({
    databaseUrl: `${databaseUrl}${databaseUrl.includes("?") ? "&" : "?"}application_name=held`,
    shortBase: "http://short.test",
    clickLog: { folder: await tempFolder() },
  });
  onTestFinished(() => counting.close());
  counting.clicks.startDrain();
  const question =
    "select from pg_stat_activity where application_name = 'held' and datname = current_database()";
  await until(async () => (await depsOf(core).pool.query(question)).rowCount === 3);
});
