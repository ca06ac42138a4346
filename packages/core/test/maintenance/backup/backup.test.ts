import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { createTestDatabase } from "@terse/postgres";
import { tempFolder } from "@terse/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { backup, moveDatabase, restoreBackup } from "../../../src/maintenance/backup/backup.ts";
import { loadContents } from "../../../src/maintenance/backup/load.ts";
import { prepareSegments } from "../../../src/maintenance/backup/restore.ts";
import { contentsOfFile, verifyBackup } from "../../../src/maintenance/backup/read-file.ts";
import { inSession } from "../../../src/maintenance/backup/session.ts";
import { openPool } from "../../../src/db/pool.ts";
import { type Core, type CoreEvent, type CoreOptions, createCore } from "../../../src/index.ts";
import { lastMigration } from "../../../src/schema/migrate.ts";
import { self } from "../../../src/clicks/log/segment-name.ts";
import { createOrm } from "../../../src/schema/orm.ts";
import { createTestCore, testServer } from "../../../src/testing.ts";
import { fullAccount } from "../account/full-account.ts";
import { clickOn, depsOf, dump, rejection } from "../../helpers.ts";

const label = { program: "1.2.3", createdAt: new Date(), settings: { SHORT_BASE: "http://short.test" } };
const shortBase = "http://short.test";

/** A database without tables. */
async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase(testServer().url, "template1");
  onTestFinished(database.drop);
  return database.url;
}

async function query<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A core on a restored database. */
async function coreOn(databaseUrl: string, folder: string, onEvent: CoreOptions["onEvent"] = () => {}) {
  const core = await createCore({ databaseUrl, shortBase, clickLog: { folder }, onEvent });
  onTestFinished(() => core.close());
  await core.migrate();
  return core;
}

/** Everything but rows: indexes, constraints, triggers that are on, and columns. */
const schemaOf = async (databaseUrl: string) =>
  query(
    databaseUrl,
    `select pg_get_indexdef(indexrelid) as text from pg_index where indrelid::regclass::text !~ '[.]'
     union all select conrelid::regclass || ' ' || conname || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     union all select table_name || ' ' || column_name || ' ' || data_type from information_schema.columns
       where table_schema = 'public' order by 1`,
  );

/** The lines of a dump in an order that does not depend on the tables' files, without the times of migrations. */
const sorted = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^\(\d+,\d{4}-/.test(line))
    .toSorted();

/** Makes a service with a link that has five counted clicks, and seven that wait; `full`: and with a row in every table. */
async function service({ full = false } = {}) {
  const logs = await tempFolder();
  const folder = join(logs, "clicks");
  const test = await createTestCore({ clickLog: { folder } });
  onTestFinished(test.close);
  if (full) await fullAccount(test, "ada");
  const link = await test.core.caller(await test.actor()).links.create({ url: "https://example.com/" });
  const click = async (count: number) => {
    for (let left = count; left > 0; left--) await test.core.clicks.record(clickOn(link.id));
  };
  await click(5);
  await test.core.clicks.drain();
  await click(7);
  const { databaseUrl } = test;
  const save = (name: string) =>
    backup({ databaseUrl, clickLogFolder: folder, file: join(logs, name), label });
  return { ...test, logs, folder, link, click, save };
}

describe("a backup that is restored", () => {
  it("has every row of every table, and each click once, counted or not", async () => {
    const { core, logs, save, databaseUrl: source } = await service({ full: true });
    const made = await save("file");
    const file = join(logs, "file");
    expect(made.segments.map(({ clicks }) => clicks)).toEqual([7]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const databaseUrl = await emptyDatabase();
    await restoreBackup({ databaseUrl, clickLogFolder: join(logs, "copy"), file });
    expect(await schemaOf(databaseUrl)).toEqual(await schemaOf(source));
    const copy = await coreOn(databaseUrl, join(logs, "copy"));
    expect(sorted(await dump(copy))).toEqual(sorted(await dump(core)));
    for (const each of [core, copy]) expect(await each.clicks.drain()).toBe(7);
    expect(await copy.clicks.drain()).toBe(0);
    // Sequences go on where they were.
    await copy.accounts.create({ email: "new@example.com" });
  });

  it("and ended before its clicks were in the log, is finished by the next start", async () => {
    const { logs, save } = await service();
    await save("file");
    const [databaseUrl, folder] = [await emptyDatabase(), join(logs, "copy")];
    // Between the commit and the renaming, as after a SIGKILL.
    const committed = new AbortController();
    const options = { databaseUrl, clickLogFolder: folder, file: join(logs, "file"), force: true };
    const contents = contentsOfFile(options.file, await verifyBackup(options.file), () => {});
    await inSession(databaseUrl, committed.signal, async (database) => {
      await database.query("begin");
      await loadContents(database, databaseUrl, contents, () => {});
      const segments = await prepareSegments(folder, contents.segments());
      await segments.note(database);
      await database.query("commit");
    });
    // One that is begun again and fails leaves that as it is.
    const interrupt = new AbortController();
    const onProgress = ({ step }: { step: string }) => step.startsWith("index") && interrupt.abort();
    const failing = restoreBackup({ ...options, onProgress, signal: interrupt.signal });
    await expect(failing).rejects.toThrow();
    const events: CoreEvent[] = [];
    const copy = await coreOn(databaseUrl, folder, (event) => events.push(event));
    expect(await copy.clicks.drain()).toBe(7);
    expect(events.map(({ code }) => code)).toEqual(["restore_finished"]);
    expect(await clicksOf(copy)).toEqual({ counted: 12, rows: 12 });
    expect(await query(databaseUrl, "select from click_segments where position = 0")).toEqual([]);
  });

  it("has all clicks also where a later one was restored before", async () => {
    const { core, logs, click, save } = await service();
    await save("early");
    await core.clicks.drain();
    await click(3);
    await save("late");
    const [databaseUrl, clickLogFolder] = [await emptyDatabase(), join(logs, "copy")];
    for (const name of ["late", "early"])
      await restoreBackup({ databaseUrl, clickLogFolder, file: join(logs, name), force: true });
    // The three clicks after the early backup are on this machine, too.
    expect(await (await coreOn(databaseUrl, clickLogFolder)).clicks.drain()).toBe(10);
  });

  it("with fewer migrations is migrated by the next start", { tags: ["long"] }, async () => {
    const folder = await tempFolder();
    const [source, databaseUrl] = [await emptyDatabase(), await emptyDatabase()];
    const pool = openPool(source, { size: 2 });
    await createOrm(source, pool).migrator.up({ to: "0008-integrations" });
    await pool.query(`insert into users (id, email, name, plan, created_at)
      values (gen_random_uuid(), 'early@example.com', 'Early', 'free', now())`);
    await pool.end();
    const file = join(folder, "file");
    await backup({ databaseUrl: source, clickLogFolder: null, file, label });
    await restoreBackup({ databaseUrl, clickLogFolder: folder, file });
    const core = await coreOn(databaseUrl, folder);
    expect((await core.accounts.list()).map(({ email }) => email)).toEqual(["early@example.com"]);
    expect(await depsOf(core).orm.schema.getUpdateSchemaSQL()).toBe("");
  });

  it("of a service that redirects and counts has every click that was answered before, and none twice", {
    tags: ["long"],
  }, async () => {
    const { core, logs, click, save } = await service();
    let [before, after] = [0, 12];
    let isOver = false;
    core.clicks.startDrain();
    const visitors = (async () => {
      while (!isOver) {
        before += 1;
        await click(1);
        after += 1;
      }
    })();
    const sums: [low: number, found: number, high: number][] = [];
    for (let round = 0; round < 5; round++) {
      const low = after;
      const { click_count, segments } = await save(`file${round}`);
      const found = Number(click_count) + segments.reduce((sum, { clicks }) => sum + clicks, 0);
      sums.push([low, found, before + 12]);
    }
    isOver = true;
    await visitors;
    for (const [low, found, high] of sums) {
      expect(found).toBeGreaterThanOrEqual(low);
      expect(found).toBeLessThanOrEqual(high);
    }
    const databaseUrl = await emptyDatabase();
    await restoreBackup({ databaseUrl, clickLogFolder: join(logs, "copy"), file: join(logs, "file4") });
    const copy = await coreOn(databaseUrl, join(logs, "copy"));
    await copy.clicks.drain();
    expect(await clicksOf(copy)).toEqual({ counted: sums[4]?.[1], rows: sums[4]?.[1] });
  });
});

/** The clicks of all links, as they are counted and as rows. */
async function clicksOf(core: Core): Promise<object> {
  const { rows } = await depsOf(core).pool.query(
    "select (select sum(click_count) from links)::int as counted, (select count(*) from clicks)::int as rows",
  );
  return rows[0];
}

describe("a restore that is refused changes nothing", () => {
  let folder: string;
  let whole: Buffer;
  let databaseUrl: string;
  let core: Core;
  let close: () => Promise<void>;
  const restoring = async (content: Buffer, options: { force?: boolean } = { force: true }) => {
    const file = join(folder, randomUUID());
    await writeFile(file, content);
    return restoreBackup({ databaseUrl, clickLogFolder: join(folder, "copy"), file, ...options });
  };
  const emails = async () =>
    (await query<{ email: string }>(databaseUrl, "select email from users")).map(({ email }) => email);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terse-test-"));
    const [saved, other] = [await createTestCore(), await createTestCore()];
    await saved.core.accounts.create({ email: "saved@example.com" });
    await other.core.accounts.create({ email: "old@example.com" });
    await backup({ databaseUrl: saved.databaseUrl, clickLogFolder: null, file: join(folder, "file"), label });
    whole = await readFile(join(folder, "file"));
    await saved.close();
    ({ databaseUrl, core, close } = other);
  });
  afterAll(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await emails()).toEqual(["old@example.com"]);
    expect(await readdir(folder)).not.toContain("copy");
  });

  it("because a program is connected", async () => {
    await core.ping();
    const { message } = await rejection(restoring(whole));
    expect(message).toMatch(/^Other programs are connected/);
    await core.close();
  });

  it("because there is data, and no --force", async () => {
    const { message } = await rejection(restoring(whole, {}));
    expect(message).toMatch(/^The database has data already \(1 workspaces\): --force/);
  });

  it.each([0, 10, 0.1, 0.5, 0.9, -40])("because the file is cut off at %s", async (at) => {
    const length = Number.isInteger(at) ? at : Math.floor(at * whole.length);
    const { message } = await rejection(restoring(whole.subarray(0, length)));
    expect(message).toMatch(/not a whole backup|is not a backup/);
  });

  it.each([0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98])("because a byte was changed at %s", async (at) => {
    const changed = Buffer.from(whole);
    const place = Math.floor(at * whole.length);
    changed[place] = (changed[place] as number) ^ 1;
    await rejection(restoring(changed));
  });

  it.each([
    ["a row was changed", "saved@example.com", "other@example.com", /not a whole backup/],
    ["it has a newer format", '"format": 1', '"format": 2', /has format 2/],
    ["it is of a newer version", `"${lastMigration}"`, `"9${lastMigration.slice(1)}"`, /newer version/],
    ["it is of a development version", `"0001-accounts"`, `"0001-original"`, /before the first release/],
    ["a table has another name", '"name": "workspaces"', '"name": "workspace;"', /not a whole backup/],
    ["it is another file", "about.json", "other.json", /not a whole backup|is not a backup/],
  ])("because %s, and a check says so too", async (_, from, to, expected) => {
    const tar = zstdDecompressSync(whole).toString("latin1").replaceAll(from, to);
    const changed = zstdCompressSync(Buffer.from(tar, "latin1"));
    const { message } = await rejection(restoring(changed));
    expect(message).toMatch(expected);
    const file = join(await tempFolder(), "changed");
    await writeFile(file, changed);
    expect((await rejection(verifyBackup(file))).message).toBe(message);
  });

  it("because the database has tables of another program", async () => {
    const other = await emptyDatabase();
    await query(other, "create table orders (id int)");
    const file = join(folder, "file");
    const { message } = await rejection(restoreBackup({ databaseUrl: other, clickLogFolder: folder, file }));
    expect(message).toContain("tables of another program");
  });

  it("because it was interrupted halfway", { tags: ["long"] }, async () => {
    const interrupt = new AbortController();
    const file = join(folder, "file");
    const onProgress = ({ step }: { step: string }) => {
      if (step.startsWith("index")) interrupt.abort();
    };
    await core.close();
    const options = { databaseUrl, clickLogFolder: join(folder, "copy"), file, onProgress };
    await expect(restoreBackup({ ...options, force: true, signal: interrupt.signal })).rejects.toThrow();
    expect(interrupt.signal.aborted).toBe(true);
  });
});

it("deletes what killed backups have left in its folder, and nothing of one that runs", async () => {
  const { databaseUrl, close } = await createTestCore();
  onTestFinished(close);
  const folder = await tempFolder();
  const { pid, started, machine } = self;
  const left = `monday.terse.0123abcd-${pid}-${started - 1}-${machine}.part`;
  const running = `tuesday.terse.0123abcd-${pid}-${started}-${machine}.part`;
  const elsewhere = `tuesday.terse.0123abcd-1-1-00000000.part`;
  const others = ["download.part", running, elsewhere];
  for (const name of [left, ...others]) await writeFile(join(folder, name), "");
  await backup({ databaseUrl, clickLogFolder: null, file: join(folder, "wednesday.terse"), label });
  expect((await readdir(folder)).toSorted()).toEqual([...others, "wednesday.terse"].toSorted());
});

it("is not written over a file, nor into a folder that does not exist", async () => {
  const { logs, save } = await service();
  await writeFile(join(logs, "file"), "");
  expect((await rejection(save("file"))).message).toBe(
    `${join(logs, "file")} exists already: choose another name`,
  );
  const { message } = await rejection(save("nowhere/file"));
  expect(message).toBe(`${join(logs, "nowhere")} does not exist: create it first`);
});

describe("moving a database", { tags: ["long"] }, () => {
  it("has the same rows on both sides, and goes on counting where it was", async () => {
    const test = await service();
    await test.core.close();
    const to = await emptyDatabase();
    const { tables, clickCount } = await moveDatabase({ from: test.databaseUrl, to });
    expect(clickCount).toBe("5");
    expect(tables.get("links")?.rows).toBeGreaterThan(0);
    const moved = await coreOn(to, test.folder);
    expect(await moved.clicks.drain()).toBe(7);
  });

  it("replaces what is there only if it is forced to", async () => {
    const [from, to] = [await createTestCore(), await createTestCore()];
    for (const { core, close } of [from, to]) {
      await core.accounts.create({ email: "same@example.com" });
      await core.close();
      onTestFinished(close);
    }
    const urls = { from: from.databaseUrl, to: to.databaseUrl };
    expect((await rejection(moveDatabase(urls))).message).toContain("has data already");
    expect((await moveDatabase({ ...urls, force: true })).tables.get("workspaces")?.rows).toBe(1);
  });
});
