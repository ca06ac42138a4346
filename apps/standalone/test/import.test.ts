import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { startPostgres } from "@terse/postgres";
import { parse } from "csv-parse/sync";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "@terse/testkit";
import { admin, newDataDir, processesOf, remove, run } from "./process.ts";
import { ownerKey, type Service, startService } from "./service.ts";

type Row = Record<"line" | "url" | "slug" | "status" | "short_url" | "destination" | "reason", string>;

let dataDir: string;
let service: Service;
let headers: { Authorization: string };
/** Prefix of all URLs of a test, to find its links. */
let site: string;
let count = 0;

beforeAll(async () => {
  dataDir = await newDataDir();
  service = await startService(dataDir);
  headers = { Authorization: `Bearer ${await ownerKey(dataDir)}` };
});
afterAll(async () => {
  await service.stop("SIGTERM");
  await remove(dataDir);
});
beforeEach(() => {
  site = `https://example.com/test-${++count}-`;
});

const importing = (file: string, more: string[] = []) => [
  "link",
  "import",
  "--email",
  "owner@terse.local",
  file,
  ...more,
];
const resultOf = async (file: string): Promise<Row[]> =>
  parse(await readFile(file, "utf8"), { columns: true });

async function write(name: string, lines: string[]): Promise<string> {
  const file = join(dataDir, `${count}-${name}`);
  await writeFile(file, lines.join("\n"));
  return file;
}

/** Returns how many links this test has created; a list counts no further than a thousand with a filter, an export does. */
async function links(): Promise<number> {
  const response = await fetch(`${service.api}/v1/links/export?format=json&search=${site}`, { headers });
  return ((await response.json()) as unknown[]).length;
}

/** Returns the files that an import left next to this one. */
async function filesLeft(file: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => name.startsWith(`${basename(file)}.`));
}

/** Opens a connection to the service's database. */
async function connect(): Promise<pg.Client> {
  const postgres = await startPostgres({ dataDir });
  const client = new pg.Client({ connectionString: postgres.url });
  onTestFinished(async () => {
    await client.end();
    await postgres.stop();
  });
  await client.connect();
  return client;
}

/** Makes each statement that inserts links take half a second, so that a test can interrupt an import. */
async function slowDown(database: pg.Client): Promise<() => Promise<unknown>> {
  await database.query(`
    create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return null; end';
    create trigger slowly before insert on links for each statement execute function slowly()`);
  return () => database.query("drop trigger slowly on links; drop function slowly");
}

/** Waits until a program is disconnected; the database completes a statement even if its client was killed. */
async function waitForDisconnect(database: pg.Client, application: string): Promise<void> {
  const text = "select from pg_stat_activity where application_name = $1";
  await until(async () => (await database.query(text, [application])).rowCount === 0);
}

const many = (size: number) => Array.from({ length: size }, (_, at) => `${site}${at}?at=52.5,13.4`);

test("an import creates a link for every valid line, lists the others, and creates nothing when repeated", async () => {
  const urls = many(700);
  urls[9] = "javascript:alert(1)";
  urls[599] = "not a url";
  urls[699] = urls[0] ?? "";
  const file = await write("urls.txt", urls);

  const first = await admin(dataDir, importing(file));
  expect(first.code).toBe(0);
  expect(first.answer).toEqual({
    file,
    result: `${file}.result.csv`,
    total: 700,
    created: 698,
    exists: 0,
    rejected: 2,
    seconds: expect.any(Number),
    links_per_second: expect.any(Number),
  });
  expect(first.stderr).toMatch(/^line 10: url.*\nline 600: url.*\n$/);
  const rows = await resultOf(`${file}.result.csv`);
  expect(rows.map(({ line, url }) => [line, url])).toEqual(urls.map((url, at) => [String(at + 1), url]));
  expect(rows[9]).toMatchObject({ status: "rejected", short_url: "", reason: expect.stringMatching(/^url/) });
  expect(new Set(rows.map(({ short_url }) => short_url)).size).toBe(699);

  const again = await admin(dataDir, importing(file));
  expect(again.answer).toMatchObject({ total: 700, created: 0, exists: 698, rejected: 2 });
  const addresses = (list: Row[]) => list.map(({ short_url }) => short_url);
  expect(addresses(await resultOf(`${file}.result.csv`))).toEqual(addresses(rows));
  expect(await links()).toBe(698);
});

test("standard input can be imported, and writes a result only on request", async () => {
  const result = join(dataDir, "stdin.csv");
  const piped = await admin(dataDir, importing("-"), {
    input: `${site}a\n${site}b\n`,
  });
  expect(piped.answer).toMatchObject({ file: "-", result: null, created: 2 });
  const again = await admin(dataDir, importing("-", ["--result", result]), {
    input: `${site}a\n`,
  });
  expect(again.answer).toMatchObject({ result, exists: 1 });
  expect(await resultOf(result)).toHaveLength(1);
});

test("many rejected lines are counted instead of all listed", async () => {
  const file = await write("bad.txt", [`${site}good`, ...Array.from({ length: 50 }, () => "bad")]);
  const { code, stderr, answer } = await admin(dataDir, importing(file));
  expect(code).toBe(0);
  expect(answer).toMatchObject({ total: 51, created: 1, rejected: 50 });
  expect(stderr.trim().split("\n")).toHaveLength(21);
  expect(stderr).toContain(`and 30 more rejected lines: see ${file}.result.csv`);
});

const failure = "%s is an error before anything is created";
test.each([
  ["a missing file", "missing.txt", [], /missing\.txt cannot be read/],
  [
    "a result that would overwrite its source",
    "same.txt",
    ["--result", "same.txt"],
    /would overwrite the imported file/,
  ],
])(failure, createsNothing);
test.each([
  ["a folder", "", [], /cannot be read/],
  ["a result that cannot be written", "same.txt", ["--result", "none/result.csv"], /cannot be written/],
])(failure, { tags: ["long"] }, createsNothing);

async function createsNothing(_: string, name: string, more: string[], message: RegExp): Promise<void> {
  await writeFile(join(dataDir, "same.txt"), `${site}\n`);
  const absolute = more.map((text) => (text.startsWith("--") ? text : join(dataDir, text)));
  const { code, stdout, stderr } = await admin(dataDir, importing(join(dataDir, name), absolute));
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(await links()).toBe(0);
}

async function isInterrupted(signal: "SIGKILL" | "SIGINT") {
  const size = 5_000;
  const file = await write("large.txt", many(size));
  const env = { DATA_DIR: dataDir, PGAPPNAME: "interrupted" };
  const database = await connect();
  const restoreSpeed = await slowDown(database);
  const { child, output, ended } = run("admin.ts", importing(file), { env });
  const text = "select from links where starts_with(destination, $1) limit 1000";
  await until(async () => (await database.query(text, [site])).rowCount === 1_000);
  process.kill(-Number(child.pid), signal);
  expect(await ended).toBe(signal === "SIGINT" ? 130 : signal);
  expect(output.stdout).toBe("");
  await waitForDisconnect(database, env.PGAPPNAME);
  await restoreSpeed();
  const made = await links();
  expect(made).toBeLessThan(size);
  expect(made % 500).toBe(0);
  expect(await filesLeft(file)).not.toContain(`${basename(file)}.result.csv`);

  const { answer } = await admin(dataDir, importing(file));
  expect(answer).toMatchObject({ total: size, created: size - made, exists: made, rejected: 0 });
  expect(await links()).toBe(size);
  expect(await filesLeft(file)).toContain(`${basename(file)}.result.csv`);
}
const interrupted = "leaves whole batches and no result; when repeated it completes without duplicates";
test(`an import interrupted by SIGKILL ${interrupted}`, () => isInterrupted("SIGKILL"));
test(`an import interrupted by SIGINT ${interrupted}`, { tags: ["long"] }, () => isInterrupted("SIGINT"));

test("without a service, an interrupted import leaves no process and no file behind", async () => {
  expect(await service.stop("SIGTERM")).toBe(0);
  const file = await write("alone.txt", many(50_000));
  const { child, output, ended } = run("admin.ts", importing(file), { env: { DATA_DIR: dataDir } });
  await until(async () => (await filesLeft(file)).length > 0);
  process.kill(-Number(child.pid), "SIGINT");
  expect(await ended).toBe(130);
  expect(output.stderr).toBe("Interrupted\n");
  expect(await filesLeft(file)).toEqual([]);
  expect(await processesOf(dataDir)).toEqual([]);
});
