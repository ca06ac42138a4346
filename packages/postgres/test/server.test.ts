import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../src/index.ts";
import { isRunning } from "../src/process-mark.ts";
import { dataFolder, exists, query, run, serverPid, socketFolder, start } from "./support.ts";

describe("startPostgres", () => {
  test("the first start creates the database; stop leaves no process and no socket", async () => {
    const dataDir = await dataFolder();
    const steps: string[] = [];
    const server = await start(dataDir, { onProgress: (step) => steps.push(step) });
    expect(server).toMatchObject({ adopted: false, version: expect.stringMatching(/^18\./) });
    expect(steps).toContainEqual(expect.stringContaining("first start"));
    expect(await query(server.url, "select current_user as role, current_database() as name")).toEqual({
      role: "terse_service",
      name: "terse",
    });
    const pid = await serverPid(dataDir);
    await server.stop();
    await server.stop();
    expect(isRunning(pid ?? 0)).toBe(false);
    expect(await exists(socketFolder(server.url))).toBe(false);
  });

  test("the service's role owns its database, and is no superuser", async () => {
    const { url } = await start(await dataFolder());
    expect(
      await query(
        url,
        "select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user",
      ),
    ).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
    });
    await run(
      url,
      `create extension pg_trgm`,
      `create extension btree_gin`,
      `create type plan as enum ('free')`,
      `create table users (id bigint generated always as identity, plan plan)`,
      `create function announce(text) returns void language sql as 'select'`,
    );
    for (const forbidden of [
      `copy users to program 'id'`,
      `select pg_read_file('PG_VERSION')`,
      `create role another`,
    ])
      await expect(run(url, forbidden)).rejects.toMatchObject({ code: "42501" });
  });

  test("a later start finds the data and creates nothing", async () => {
    const dataDir = await dataFolder();
    const first = await start(dataDir, { durable: true });
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    const steps: string[] = [];
    const second = await start(dataDir, { durable: true, onProgress: (step) => steps.push(step) });
    expect(steps.filter((step) => step.includes("first start"))).toEqual([]);
    expect(await query(second.url, "select answer from kept")).toEqual({ answer: 42 });
    expect(second.url).toBe(first.url);
  });

  test("the server is durable by default, uses UTC, and does not listen on the network", async () => {
    const dataDir = await dataFolder();
    const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('full_page_writes') as pages, current_setting('timezone') as zone,
      current_setting('listen_addresses') as addresses, current_setting('max_connections')::int >= 100 as enough`;
    const common = { zone: "UTC", addresses: "", enough: true };
    const quick = await start(dataDir, { durable: false });
    expect(await query(quick.url, settings)).toEqual({
      ...common,
      fsync: "off",
      commits: "off",
      pages: "off",
    });
    await quick.stop();
    const server = await startPostgres({ dataDir });
    onTestFinished(() => server.stop());
    expect(await query(server.url, settings)).toEqual({ ...common, fsync: "on", commits: "on", pages: "on" });
  });

  test("a data folder may have a longer path than a socket can; it and the database may have any name", async () => {
    const dataDir = join(await dataFolder(), 'd\'eep "er", '.repeat(10), "and deeper/".repeat(10));
    const server = await start(dataDir, { database: "Schöne Liste" });
    const text = "select 'ÄÖÜ Ελλάδα' ilike '%ελλάΔΑ' as found, current_database() as name";
    expect(await query(server.url, text)).toEqual({ found: true, name: "Schöne Liste" });
    await server.stop();
  });

  test("a first start that was killed is repeated", async () => {
    const dataDir = await dataFolder();
    const unfinished = join(dataDir, "postgres", "initdb-999999999.1-x.uuid");
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, "PG_VERSION"), "18\n");
    await start(dataDir);
    expect(await readdir(join(dataDir, "postgres"))).not.toContain(basename(unfinished));
  });

  test("a server that cannot start says why; data of another major version is rejected with advice", async () => {
    const dataDir = await dataFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, "postgres", "cluster", "postgresql.conf"), "no_such_setting = 1\n");
    await expect(startPostgres({ dataDir })).rejects.toThrow(/did not start: .*no_such_setting/s);
    await writeFile(join(dataDir, "postgres", "cluster", "PG_VERSION"), "17\n");
    await expect(startPostgres({ dataDir })).rejects.toThrow(/PostgreSQL 17 created .*this is PostgreSQL 18/);
    expect(await readdir(join(dataDir, "postgres", "leases"))).toEqual([]);
  });

  test("a link to missing data is an error, not an empty database", async () => {
    const dataDir = await dataFolder();
    await symlink(join(dataDir, "gone"), join(dataDir, "postgres"));
    await expect(startPostgres({ dataDir })).rejects.toThrow(/points to .*gone, which is gone/);
    await rm(join(dataDir, "postgres"));
  });
});
