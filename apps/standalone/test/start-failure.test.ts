import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { startPostgres } from "@terse/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "@terse/testkit";
import { newDataDir, processesOf, remove, run } from "./process.ts";
import { ownerKey, startService } from "./service.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => remove(dataDir));

async function failingStart(env: Record<string, string>) {
  const { output, ended } = run("main.ts", [], { env: { DATA_DIR: dataDir, ...env } });
  return { code: await ended, ...output };
}

describe("a start that fails", () => {
  const title = "names %s if that port is taken, with %s redirecting process(es), and leaves no process";
  test.each([
    ["REDIRECT_PORT", "0"],
    ["REDIRECT_PORT", "1"],
  ])(title, namesPort);
  test.each([
    ["HTTP_PORT", "1"],
    ["MCP_PORT", "1"],
    ["ADMIN_PORT", "1"],
  ])(title, { tags: ["long"] }, namesPort);

  async function namesPort(name: string, REDIRECT_WORKERS: string): Promise<void> {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stdout, stderr } = await failingStart({ [name]: String(port), REDIRECT_WORKERS });
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^.*port ${port} .* already in use: set ${name} .*\n$`));
    expect(stdout).toBe("");
    expect(await readdir(dataDir)).toEqual([]);
    expect(await processesOf(dataDir)).toEqual([]);
  }

  test("does not use up the key: the next start writes one", async () => {
    const service = await startService(dataDir);
    expect(await ownerKey(dataDir)).not.toBe("");
    await service.stop("SIGTERM");
  });

  test("prints one line for each invalid setting, and starts nothing", async () => {
    const { code, stdout, stderr } = await failingStart({ HTTP_PORT: "many", SHORT_BASE: "localhost" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^SHORT_BASE is "localhost": .*\nHTTP_PORT is "many": .*\n$/);
    expect(stdout).toBe("");
  });

  test("names an unknown option, and starts nothing", async () => {
    const { output, ended } = run("main.ts", ["--show-keys"], { env: { DATA_DIR: dataDir } });
    expect(await ended).toBe(1);
    expect(output).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^Unknown option '--show-keys'.*\n$/),
    });
  });

  test("describes a database that does not exist, without its password", async () => {
    const other = await startPostgres({ dataDir });
    const url = new URL(other.url);
    url.password = "hush";
    url.pathname = "/nowhere";
    const { code, stdout, stderr } = await failingStart({ DATABASE_URL: url.href });
    await other.stop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database at .*\/nowhere \(DATABASE_URL\) cannot be used: .* exist\n$/);
    expect(stdout + stderr).not.toContain("hush");
  });

  test("says that what answers at the URL is not PostgreSQL", async () => {
    const web = createHttpServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    const { port } = web.address() as AddressInfo;
    const { code, stderr } = await failingStart({ DATABASE_URL: `postgres://terse@127.0.0.1:${port}/terse` });
    web.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database at .* cannot be used: what answers there is not PostgreSQL\n$/);
  });

  test("says if the data folder cannot be created", async () => {
    const { code, stderr } = await failingStart({ DATA_DIR: "/dev/null/data" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The embedded database in \/dev\/null\/data \(DATA_DIR\): .*\n$/);
  });
});

test("Ctrl-C during the first creation of the database stops everything, and the next start succeeds", async () => {
  const fresh = await newDataDir();
  const { child, output, ended } = run("main.ts", [], { env: { DATA_DIR: fresh } });
  await until(() => output.stdout.includes("Creating the database"));
  process.kill(-Number(child.pid), "SIGINT");
  expect(await ended).toBe(0);
  expect(output.stderr).toBe("");
  expect(await processesOf(fresh)).toEqual([]);

  const service = await startService(fresh);
  expect(await ownerKey(fresh)).not.toBe("");
  expect(await service.stop("SIGTERM")).toBe(0);
  await remove(fresh);
});
