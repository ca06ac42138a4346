import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, tempFolder, until } from "@terse/testkit";
import { createConnection } from "mysql2/promise";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { tablesInDatabase } from "../../src/history/yourls/database.ts";
import { openYourls } from "../../src/history/yourls/source.ts";
import { nextPort } from "@terse/testkit/ports";
import { historyCore, never, sumOf } from "./helpers.ts";

const { core, run, linkOf, close } = await historyCore();
afterAll(close);

/** A separate MariaDB with the tables of the dump. Returns the address of its database. */
async function startMariaDb(): Promise<string> {
  const folder = await tempFolder();
  const data = join(folder, "data");
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const installed = spawnSync("mariadb-install-db", [
    "--no-defaults",
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...user,
  ]);
  expect(installed.status, String(installed.stderr)).toBe(0);
  const port = nextPort();
  const server = spawn(
    "mariadbd",
    [
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${join(folder, "sock")}`,
      `--pid-file=${join(folder, "pid")}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      "--default-time-zone=+00:00",
      "--sql-mode=NO_BACKSLASH_ESCAPES",
      ...user,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(async () => {
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  });
  const options = { socketPath: join(folder, "sock"), user: "root", multipleStatements: true };
  await until(async () => {
    const connection = await createConnection(options).catch(() => null);
    await connection?.end();
    return connection !== null;
  });
  const connection = await createConnection(options);
  const dump = await readFile(join(import.meta.dirname, "yourls", "extended.sql"), "utf8");
  await connection.query("create database yourls; use yourls");
  await connection.query(dump);
  await connection.query("create user reader identified by 'p/w @'; grant select on yourls.* to reader");
  await connection.end();
  return `mysql://reader@127.0.0.1:${port}/yourls`;
}

describe.skipIf(isMissing("mariadbd"))("an import from a YOURLS database", () => {
  it("is the same as from a dump of it, and adds what is new", async () => {
    const url = await startMariaDb();
    const open = async (more = {}) => {
      const address = { url, password: "p/w @", prefix: "yourls_", interrupt: never, ...more };
      return openYourls({ tables: await tablesInDatabase(address), prefix: address.prefix });
    };
    let said = "";
    const report = await run(await open(), { say: (text) => (said += text) });
    expect(said).toMatch(/^YOURLS in the database yourls at 127\.0\.0\.1:\d+: 12 links and 53 visits/);
    expect(report).toMatchObject({
      links: { found: 12, created: 11, exists: 0, refused: 1 },
      visits: { found: 53, lost: { "with an impossible time": 1 } },
      imported_clicks: 3,
    });
    expect(sumOf(report.visits)).toBe(53);
    expect(await linkOf("umlaut")).toMatchObject({
      destination: "https://example.com/%C3%BC?q=%27%3B--",
      title: expect.stringMatching(/^Größe 🎉 -- not a comment/),
      created_at: "2015-02-28T12:34:56.000Z",
    });
    expect(await run(await open())).toMatchObject({ links: { exists: 11 }, visits: { clicks: 0, bots: 0 } });
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });

    await expect(run(await open({ prefix: "other_" }))).rejects.toThrow(/other_url.* doesn't exist/);
    await expect(open({ password: "wrong" })).rejects.toThrow(/cannot be read: Access denied/);
  });
});
