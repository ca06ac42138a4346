import { until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Pool } from "pg";
import { acquireConnection } from "../../src/db/connection.ts";
import { firstIdAt } from "../../src/clicks/click-id.ts";
import { type Core, createCore } from "../../src/index.ts";
import { depsOf } from "../helpers.ts";
import { promote, startPrimary, startStandby, type TestPostgres, urlOf } from "./cluster.ts";

const lagMs = 500;
const shortHost = "short.test";
const visit = { address: "8.8.8.8" } as never;

async function node(primary: TestPostgres, standby: TestPostgres, more = {}): Promise<Core> {
  const core = await createCore({
    databaseUrl: urlOf([primary], "postgres"),
    replicaUrl: urlOf([standby], "postgres"),
    replicaMaxLag: lagMs,
    shortBase: `http://${shortHost}`,
    poolSize: 5,
    rateLimits: { anonymous: 1e6, free: 1e6, pro: 1e6, enterprise: 1e6 },
    ...more,
  });
  onTestFinished(() => core.close());
  return core;
}

const replicasOf = (core: Core) => {
  const { replicas } = depsOf(core);
  if (replicas === null) throw new Error("No replicas");
  return replicas;
};

/** How many scans of a table the replica of a core has made. Its connections would report their own within ten seconds only. */
async function scans(core: Core, table = "links"): Promise<number> {
  const { pool } = replicasOf(core).fresh() ?? expect.fail("the replica is behind");
  const flushes = Array.from({ length: pool.totalCount }, () =>
    pool.query("select pg_stat_force_next_flush()"),
  );
  await Promise.all(flushes);
  const { rows } = await pool.query<{ count: number }>(
    `select (seq_scan + coalesce(idx_scan, 0))::int as count from pg_stat_user_tables where relname = '${table}'`,
  );
  return rows[0]?.count ?? 0;
}

async function locationOf(core: Core, slug: string): Promise<string> {
  const decision = await core.redirects.resolve(shortHost, slug, visit);
  return decision.kind === "redirect" ? decision.location : decision.kind;
}

it("redirects, lists and reports come from a replica, never older than they may be", async () => {
  const primary = await startPrimary();
  await (await createPlain(primary)).migrate();
  const standby = await startStandby(primary);
  const [writing, serving] = [await node(primary, standby), await node(primary, standby)];
  // However busy the machine is, the replica stays within a bound of a minute.
  const patient = await node(primary, standby, { replicaMaxLag: 60_000 });
  for (const core of [writing, serving, patient]) core.redirects.watch();
  await until(() => [writing, serving, patient].every((core) => core.redirects.stats().watched));
  const account = await writing.accounts.create({ email: "a@example.com", name: "A", plan: "pro" });
  const { links } = writing.caller({ kind: "account", account, credential: "internal" });
  const created = await Promise.all(
    Array.from({ length: 10 }, (_, at) => links.create({ url: `https://example.com/${at}/0` })),
  );

  // Reads go to the replica.
  const reader = patient.caller({ kind: "account", account, credential: "internal" });
  const isFresh = (core: Core) => until(() => replicasOf(core).fresh(performance.now() - 50) !== null);
  await until(async () => (await standby.query("select from links")).length === 10);
  await isFresh(patient);
  const before = await scans(patient);
  for (const { slug, destination } of created) expect(await locationOf(patient, slug)).toBe(destination);
  expect((await reader.links.list({})).data).toHaveLength(10);
  await reader.analytics.overview({});
  await until(async () => (await scans(patient)) > before + 10);

  // A report that is asked for by POST comes from there too, and so does what is read after it.
  const [past, first] = [await scans(patient, "link_days"), created[0]?.id ?? ""];
  await reader.analytics.whatIf({
    id: first,
    period: "7d",
    draft: { destination: "https://example.com/else" },
  });
  await until(async () => (await scans(patient, "link_days")) > past);
  expect(depsOf(patient).writes.of(account.id)).toBe(Number.NEGATIVE_INFINITY);

  // An export that the replica cuts off is continued by the primary, without a row too many or too few.
  const rows = 5000;
  await primary.query(
    `insert into click_clients (country, device, browser, os) values ('DE', 'mobile', '', 'iOS')`,
  );
  await primary.query(`insert into click_referrers (referrer, channel) values ('example.com', 'other')`);
  await primary.query(
    `create table clicks_all partition of clicks for values from (0) to (${firstIdAt(Date.now() + 1e9)})`,
  );
  await primary.query(
    `insert into clicks (id, link_id, account_number, client_id, referrer_id, is_bot, is_unique)
     select ${firstIdAt(Date.now() - 60_000)} + n, '${first}', (select number from users), 1, 1, false, true
     from generate_series(1, ${rows}) n`,
  );
  await until(async () => (await standby.query("select from clicks")).length === rows);
  await isFresh(patient);
  const pieces: string[] = [];
  // A process that was told to end may still be there at the next piece.
  const cut = new Set<unknown>();
  for await (const piece of (await reader.analytics.export({ period: "7d" })).body) {
    pieces.push(piece);
    const ended = "select pid, pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (%'";
    for (const { pid } of await standby.query<{ pid: number }>(ended)) cut.add(pid);
  }
  expect(cut.size).toBe(1);
  expect(pieces.join("").split("\r\n")).toHaveLength(1 + rows + 1);

  // An account reads what it wrote, however far the replica is behind.
  await standby.query("select pg_wal_replay_pause()");
  const own = await links.create({ url: "https://example.com/own" });
  const mine = await links.list({});
  expect(mine.data.map(({ id }) => id)).toContain(own.id);

  // Nobody is sent to an old destination for longer than the bound, on any node, however often links change.
  const changedAt = new Map<string, number>();
  for (let round = 1; round <= 8; round++) {
    for (const { id, slug } of created) {
      await links.update({ id, url: `https://example.com/${slug}/${round}` });
      changedAt.set(slug, performance.now());
    }
    if (round === 5) await standby.query("select pg_wal_replay_resume()");
    if (round === 6) await standby.query("select pg_wal_replay_pause()");
    await until(async () => {
      // Also without what is cached, as on a node that has just started.
      const fresh = await Promise.all(created.map(({ slug }) => locationOf(serving, slug)));
      return created.every(({ slug }, at) => fresh[at] === `https://example.com/${slug}/${round}`);
    }, 10_000);
    const late = await node(primary, standby);
    late.redirects.watch();
    await until(() => performance.now() - Math.max(...changedAt.values()) > lagMs);
    for (const { slug } of created) {
      expect(await locationOf(late, slug)).toBe(`https://example.com/${slug}/${round}`);
      expect(await locationOf(serving, slug)).toBe(`https://example.com/${slug}/${round}`);
    }
  }
  await standby.query("select pg_wal_replay_resume()");

  // Connections that are all in use say nothing about their server.
  await isFresh(serving);
  for (const pool of [depsOf(serving).pool, replicasOf(serving).fresh()?.pool]) {
    const held = await Promise.all(Array.from({ length: 5 }, () => acquireConnection(pool as Pool)));
    await isFresh(serving);
    expect(replicasOf(serving).isPrimaryUnavailable).toBe(false);
    for (const connection of held) connection.release();
  }

  // Without a primary, links that were never cached are served by the replica.
  await isFresh(serving);
  const cold = await node(primary, standby);
  await until(() => replicasOf(cold).fresh() !== null);
  await until(async () => (await standby.query(`select from links where slug = '${own.slug}'`)).length === 1);
  await primary.kill();
  const killed = performance.now();
  expect(await locationOf(cold, own.slug)).toBe(own.destination);
  process.stdout.write(
    `The primary was killed: an uncached redirect after ${(performance.now() - killed).toFixed(0)} ms\n`,
  );
  expect(await locationOf(cold, "unknown1")).toBe("not_found");
});

async function createPlain(primary: TestPostgres): Promise<Core> {
  const core = await createCore({ databaseUrl: primary.url, shortBase: `http://${shortHost}` });
  onTestFinished(() => core.close());
  return core;
}

describe("a replica", () => {
  it("that was promoted still has the changes that it had before", async () => {
    const ports = [{ port: nextPort() }, { port: nextPort() }] as const;
    const primary = await startPrimary(ports[0]);
    const standby = await startStandby(primary, ports[1]);
    const core = await node(primary, standby, { databaseUrl: urlOf(ports, "postgres") });
    const replicas = replicasOf(core);
    const changed = performance.now();
    await until(() => replicas.fresh(changed) !== null);
    await primary.kill();
    await until(() => replicas.isPrimaryUnavailable);
    await promote(standby);
    await until(() => !replicas.isPrimaryUnavailable && replicas.fresh() === null);
    expect(replicas.latest(changed)).toHaveLength(1);
    // It is behind nobody now.
    await until(() => replicas.lags()[0]?.seconds === 0);
  });

  it("that answered no probe for a while, as on a busy machine, still serves redirects when the primary is lost", async () => {
    const primary = await startPrimary();
    const plain = await createPlain(primary);
    await plain.migrate();
    const account = await plain.accounts.create({ email: "a@example.com", name: "A", plan: "pro" });
    const { links } = plain.caller({ kind: "account", account, credential: "internal" });
    const { slug, destination } = await links.create({ url: "https://example.com/uncached" });
    const standby = await startStandby(primary);
    const core = await node(primary, standby);
    const replicas = replicasOf(core);
    await until(() => replicas.fresh() !== null);
    await until(async () => (await standby.query("select from links")).length === 1);

    standby.freeze();
    // It has everything until the primary has something new.
    await primary.query("insert into click_salts values ('2026-01-01', 'x')");
    await until(() => (replicas.lags()[0]?.seconds ?? 0) > 2);
    await primary.kill();
    await until(() => replicas.isPrimaryUnavailable);
    const location = locationOf(core, slug);
    setTimeout(() => standby.thaw(), 300);
    expect(await location).toBe(destination);
  });

  it("that is behind by more than the bound is not read from, until it has caught up", {
    tags: ["long"],
  }, async () => {
    const primary = await startPrimary();
    await (await createPlain(primary)).migrate();
    const standby = await startStandby(primary);
    const core = await node(primary, standby);
    const replicas = replicasOf(core);
    await until(() => replicas.fresh() !== null);
    await standby.query("select pg_wal_replay_pause()");
    await primary.query("insert into click_salts values ('2026-01-01', 'x')");
    await until(() => replicas.fresh() === null);
    expect(replicas.latest()).toHaveLength(1);
    expect(replicas.lags()[0]?.seconds).toBeGreaterThan(lagMs / 1000);
    await standby.query("select pg_wal_replay_resume()");
    await until(() => replicas.fresh() !== null);

    await standby.kill();
    await until(() => replicas.fresh() === null);
    await standby.restart();
    await until(() => replicas.fresh() !== null);
    // Promoted by mistake, it goes another way than the primary.
    await standby.query("select pg_promote()");
    await until(() => replicas.fresh() === null);
  });
});
