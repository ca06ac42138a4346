import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "@terse/testkit";
import { endConnections } from "../../src/db/connection.ts";
import { parseDatabaseUrl, placeOf } from "../../src/db/database-url.ts";
import { isDatabaseUnavailable } from "../../src/db/errors.ts";
import { hostsOf } from "../../src/db/hosts.ts";
import { openPool } from "../../src/db/pool.ts";
import { createCore } from "../../src/index.ts";
import { openPurgeChannel } from "../../src/redirects/purge-channel.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, url } from "../helpers.ts";
import { promote, startPrimary, startStandby, type TestPostgres, urlOf } from "./cluster.ts";

describe("a database URL", () => {
  it.each([
    ["postgres://u:p@db/terse", ["postgres://u:p@db/terse"]],
    ["postgresql:///terse?host=/run/pg", ["postgresql:///terse?host=/run/pg"]],
    ["socket:/run/pg?db=terse", ["socket:/run/pg?db=terse"]],
    ["postgresql://u@a:1,b/terse", ["postgresql://u@a:1/terse", "postgresql://u@b/terse"]],
    [
      "postgresql://u:p%40x@a,[::1]:5,%2Frun%2Fpg/t?target_session_attrs=read-write&sslmode=verify-full",
      ["a", "[::1]:5", "%2Frun%2Fpg"].map((host) => `postgresql://u:p%40x@${host}/t?sslmode=verify-full`),
    ],
    ["postgresql://u@/t?host=a,b&port=1,2", ["postgresql://u@a:1/t", "postgresql://u@b:2/t"]],
    ["postgresql:///t?host=/run/a,::1&port=7", ["postgresql://%2Frun%2Fa:7/t", "postgresql://[::1]:7/t"]],
    ["postgresql://u@a/t?target_session_attrs=primary", ["postgresql://u@a/t"]],
  ])("is split into its hosts: %s", (given, hosts) => {
    expect(parseDatabaseUrl(given).hosts).toEqual(hosts);
  });

  it.each([
    ["postgresql://u:p@db.internal:5433/t", "db.internal:5433"],
    ["postgresql://u@%2Frun%2Fpg:5432/t", "/run/pg"],
    ["postgresql:///t?host=%2Frun%2Fpg", "/run/pg"],
  ])("is named without its password: %s", (given, place) => {
    expect(placeOf(given)).toBe(place);
  });
});

it("the channel of changes asks again while no host is the primary, which ends no process", async () => {
  let tries = 0;
  const server = createServer((socket) => {
    tries += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ignore = () => {};
  const listener = { onPurge: ignore, onOpen: ignore, onLost: ignore };
  const channel = openPurgeChannel(`postgresql://u@127.0.0.1:${port},localhost:${port}/t`, listener);
  onTestFinished(async () => {
    await channel.close();
    server.close();
  });
  // An error that nobody listens to would fail this file.
  await until(() => tries > 4);
  expect(channel.open).toBe(false);
});

it("hosts that let a connection wait are a database that cannot be reached", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pool = openPool(`postgresql://u@127.0.0.1:${port},localhost:${port}/t`, { size: 1 });
  onTestFinished(() => endConnections(pool));
  const failure = await pool.query("select").catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failure), String(failure)).toBe(true);
});

/** A core on a primary and a standby. */
async function coreOn(servers: readonly TestPostgres[]) {
  const events: string[] = [];
  const core = await createCore({
    databaseUrl: urlOf(servers, "postgres", "?target_session_attrs=read-write"),
    shortBase: "http://short.test",
    poolSize: 5,
    onEvent: ({ code }) => events.push(code),
  });
  onTestFinished(() => core.close());
  return { core, events };
}

/** Creates links until one is created and another node's change arrives; prints how long that took since `since`. */
async function backAt(core: Awaited<ReturnType<typeof coreOn>>["core"], since: number, what: string) {
  await until(() =>
    core
      .caller({ kind: "anonymous" })
      .links.create({ url })
      .then(
        () => true,
        () => false,
      ),
  );
  const created = performance.now() - since;
  await until(() => core.redirects.stats().watched);
  const watched = performance.now() - since;
  process.stdout.write(
    `${what}: a link created ${created.toFixed(0)} ms after the promotion, changes received after ${watched.toFixed(0)} ms\n`,
  );
}

describe("several hosts", () => {
  it("are a primary and standbys: everything goes to the primary, also after the standby was promoted", async () => {
    const primary = await startPrimary();
    const standby = await startStandby(primary);
    const { core, events } = await coreOn([standby, primary]);
    await core.migrate();
    core.redirects.watch();
    const link = await core.caller({ kind: "anonymous" }).links.create({ url });
    await until(() => core.redirects.stats().watched);

    const [{ position } = { position: "" }] = await primary.query<{ position: string }>(
      "select pg_current_wal_lsn() as position",
    );
    await until(
      async () =>
        (await standby.query(`select where pg_last_wal_replay_lsn() >= '${position}'`)).length === 1,
    );
    await primary.kill();
    await promote(standby);
    const promoted = performance.now();
    await backAt(core, promoted, "The primary was killed");
    expect(await core.redirects.resolve("short.test", link.slug, {} as never)).toMatchObject({
      kind: "redirect",
    });
    expect(events).toContain("database_moved");
    expect(await standby.query("select from links")).not.toEqual([]);
  });

  it("include one that is paused: its connections are left as soon as another host is the primary", {
    tags: ["long"],
  }, async () => {
    const primary = await startPrimary();
    const standby = await startStandby(primary);
    const { core } = await coreOn([primary, standby]);
    await core.migrate();
    core.redirects.watch();
    await until(() => core.redirects.stats().watched);
    const { pool } = depsOf(core);

    primary.freeze();
    const waiting = pool.query("select").then(
      () => "answered",
      () => "failed",
    );
    await until(() => !core.redirects.stats().watched);
    await promote(standby);
    const promoted = performance.now();
    expect(await waiting).toBe("failed");
    await backAt(core, promoted, "The primary was paused");
    // It wakes up and still takes itself for the primary: nothing goes there.
    primary.thaw();
    await until(() => primary.query("select").then(() => true));
    const { rows } = await pool.query("select inet_server_port()::text as port");
    expect(rows).toEqual([{ port: standby.port }]);
    // Nor while its successor does not answer: what it takes then is lost.
    standby.freeze();
    const hosts = hostsOf(depsOf(core).databaseUrl);
    const isRefused = async () =>
      (
        await hosts?.find().then(
          () => "",
          ({ message }: Error) => message,
        )
      )?.includes(`127.0.0.1:${primary.port} was replaced`) ?? false;
    await until(isRefused);
    standby.thaw();
    await until(() => core.redirects.stats().watched);
  });

  it("include one that was replaced and still answers: it lets changes wait for ever, and is left", {
    tags: ["long"],
  }, async () => {
    const primary = await startPrimary({ synchronous_standby_names: "*" });
    const standby = await startStandby(primary);
    const pool = openPool(urlOf([primary, standby], "postgres"), { size: 2 });
    onTestFinished(() => endConnections(pool));
    await pool.query("create table before_it ()");
    await promote(standby);
    await expect(pool.query("create table after_it ()")).rejects.toMatchObject({
      code: "57P01",
      message: `The database has moved to 127.0.0.1:${standby.port}`,
    });
    const { rows } = await pool.query("select inet_server_port()::text as port");
    expect(rows).toEqual([{ port: standby.port }]);
    expect(await primary.query("select not pg_is_in_recovery() as is_primary")).toEqual([
      { is_primary: true },
    ]);
  });

  it("of which none is the primary are a database that is away, and say what was found", {
    tags: ["long"],
  }, async () => {
    const primary = await startPrimary();
    const standby = await startStandby(primary);
    await primary.kill();
    const pool = openPool(urlOf([primary, standby], "postgres"), { size: 3 });
    onTestFinished(() => endConnections(pool));
    // Callers do not wait for the connections of each other.
    const refused = [1, 2, 3].map(() =>
      expect(pool.query("select")).rejects.toMatchObject({
        code: "57P03",
        message: expect.stringMatching(
          new RegExp(`127.0.0.1:${primary.port}: .*ECONNREFUSED.*; 127.0.0.1:${standby.port} is a standby`),
        ),
      }),
    );
    await Promise.all(refused);
  });

  it("that all refuse our password say so, instead of waiting", { tags: ["long"] }, async () => {
    const { port } = await startPrimary();
    const pool = openPool(`postgresql://nobody@127.0.0.1:${port},127.0.0.1:${port}/postgres`, { size: 1 });
    onTestFinished(() => endConnections(pool));
    await expect(pool.query("select")).rejects.toMatchObject({ code: "28000" });
  });
});

it("a server that refuses a change is a standby now: its connection is left", async () => {
  const { databaseUrl, close } = await createTestCore();
  onTestFinished(close);
  // One address, behind which servers change, as a virtual address does.
  const pool = openPool(databaseUrl, { size: 1 });
  onTestFinished(() => endConnections(pool));
  const pid = async () => (await pool.query("select pg_backend_pid() as pid")).rows[0].pid as number;
  const before = await pid();
  await pool.query("set default_transaction_read_only = on");
  await expect(pool.query("create table t ()")).rejects.toMatchObject({ code: "25006" });
  expect(await pid()).not.toBe(before);
});
