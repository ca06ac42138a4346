import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDatabase,
  databaseUrl,
  ensureTemplate,
  type PostgresServer,
  startPostgres,
} from "../src/index.ts";
import { query } from "./support.ts";

let dataDir: string;
let server: PostgresServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "terse-test-"));
  await chmod(dataDir, 0o755);
  server = await startPostgres({ dataDir, durable: false });
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

async function prepare(url: string): Promise<void> {
  await query(url, "create table links (slug text)");
}

describe("databaseUrl", () => {
  test.each([
    ["postgresql://terse@%2Ftmp%2Fx:5432/terse", "postgresql://terse@%2Ftmp%2Fx:5432/other"],
    ["postgresql://terse@localhost/terse?host=/tmp/x", "postgresql://terse@localhost/other?host=/tmp/x"],
    ["postgresql:///terse?host=/tmp/x", "postgresql:///other?host=/tmp/x"],
    [
      "postgres://u:p%40ss@db.example:6543/app?sslmode=require",
      "postgres://u:p%40ss@db.example:6543/other?sslmode=require",
    ],
    ["postgres://db.example", "postgres://db.example/other"],
  ])("%s gives %s", (url, expected) => {
    expect(databaseUrl(url, "other")).toBe(expected);
  });
});

describe("ensureTemplate", () => {
  test("concurrent callers build it once, and all get its name", async () => {
    let builds = 0;
    const build = { fingerprint: "once", prepare: (url: string) => (builds++, prepare(url)) };
    const names = await Promise.all([1, 2, 3].map(() => ensureTemplate(server.adminUrl, build)));
    expect(builds).toBe(1);
    expect(new Set(names).size).toBe(1);
    expect(await ensureTemplate(server.adminUrl, { ...build, fingerprint: "changed" })).not.toBe(names[0]);
    expect(builds).toBe(2);
  });

  test("a failed build is repeated", async () => {
    const fail = async () => Promise.reject(new Error("a migration is broken"));
    await expect(ensureTemplate(server.adminUrl, { fingerprint: "broken", prepare: fail })).rejects.toThrow(
      "a migration is broken",
    );
    await expect(ensureTemplate(server.adminUrl, { fingerprint: "broken", prepare })).resolves.toBeTruthy();
  });

  test("connections left open by the build do not prevent copying", async () => {
    const client = { current: new pg.Client() };
    const leaveOpen = async (url: string) => {
      client.current = new pg.Client({ connectionString: url });
      client.current.on("error", () => {});
      await client.current.connect();
    };
    const template = await ensureTemplate(server.adminUrl, { fingerprint: "open", prepare: leaveOpen });
    const database = await createTestDatabase(server.adminUrl, template);
    await database.drop();
    await client.current.end();
  });
});

describe("createTestDatabase", () => {
  test("creates separate databases with the template's tables", async () => {
    const template = await ensureTemplate(server.adminUrl, { fingerprint: "tables", prepare });
    const one = await createTestDatabase(server.adminUrl, template);
    const other = await createTestDatabase(server.adminUrl, template);
    await query(one.url, "insert into links values ('mine')");
    expect(await query(other.url, "select count(*)::int as links from links")).toEqual({ links: 0 });
    expect(await query(one.url, "select current_database() as name")).toEqual({ name: one.name });
    await Promise.all([one.drop(), other.drop()]);
  });

  test("many can be created at once", async () => {
    const template = await ensureTemplate(server.adminUrl, { fingerprint: "tables", prepare });
    const databases = await Promise.all(
      Array.from({ length: 8 }, () => createTestDatabase(server.adminUrl, template)),
    );
    expect(new Set(databases.map(({ name }) => name)).size).toBe(8);
    await Promise.all(databases.map((database) => database.drop()));
  });

  test("drop ends remaining sessions, and can be called again", async () => {
    const template = await ensureTemplate(server.adminUrl, { fingerprint: "tables", prepare });
    const database = await createTestDatabase(server.adminUrl, template);
    const client = new pg.Client({ connectionString: database.url });
    const ended = new Promise((resolve) => client.on("error", resolve));
    await client.connect();
    await database.drop();
    await database.drop();
    expect(await ended).toBeInstanceOf(Error);
    await expect(query(database.url, "select")).rejects.toThrow("does not exist");
  });
});
