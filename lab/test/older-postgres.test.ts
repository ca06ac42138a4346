import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { browserUserAgent, tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { expect, onTestFinished, test } from "vitest";
import { countsOf } from "../../apps/standalone/test/chaos/counts.ts";
import { admin, newDataDir, remove, run } from "../../apps/standalone/test/process.ts";
import { follow, ownerKey, shorten, startService } from "../../apps/standalone/test/service.ts";

/** Debian's programs of an older major version */
const programs = "/usr/lib/postgresql/15/bin";
const isThere = existsSync(programs);
if (!isThere && process.env.REQUIRE_SERVICES !== "1")
  console.warn("Left out: postgresql-15 is missing (on Debian: apt-get install postgresql-15)");

const isRoot = process.getuid?.() === 0;
const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));

/** Creates the embedded cluster of a data folder with PostgreSQL 15, and runs it. */
async function startOlder(dataDir: string) {
  const home = join(dataDir, "postgres");
  const data = join(home, "cluster");
  const sockets = await tempFolder();
  const port = nextPort();
  mkdirSync(home);
  chmodSync(sockets, 0o755);
  for (const folder of isRoot ? [home, sockets] : []) chownSync(folder, idOf("-u"), idOf("-g"));
  const as = (program: string, ...args: string[]) => {
    const command = [join(programs, program), ...args];
    const [first = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(first, rest, { cwd: "/", stdio: "ignore" });
  };
  as("initdb", "-D", data, "-U", "terse", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8");
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${sockets}`;
  let isRunning = false;
  const start = () => {
    as("pg_ctl", "-D", data, "-w", "-l", join(sockets, "log"), "-o", options, "start");
    isRunning = true;
  };
  const stop = () => {
    if (isRunning) as("pg_ctl", "-D", data, "-m", "fast", "-w", "stop");
    isRunning = false;
  };
  onTestFinished(stop);
  start();
  return { url: `postgresql://terse@127.0.0.1:${port}/postgres`, start, stop };
}

test.skipIf(!isThere)(
  "the cluster of an older PostgreSQL comes to this one by the commands that the start names",
  async () => {
    const dataDir = await newDataDir();
    onTestFinished(() => remove(dataDir));
    const older = await startOlder(dataDir);
    let service = await startService(dataDir, { env: { DATABASE_URL: older.url } });
    const key = await ownerKey(dataDir);
    const link = await shorten(service, key, "https://example.com/kept");
    for (let click = 0; click < 30; click++)
      await fetch(link.shortUrl, { redirect: "manual", headers: { "User-Agent": browserUserAgent } });
    await until(async () => (await countsOf(older.url)).clicks === 30);
    expect(await service.stop("SIGTERM")).toBe(0);
    older.stop();

    const { output, ended } = run("main.ts", [], { env: { DATA_DIR: dataDir } });
    expect(await ended).toBe(1);
    const [what = "", , backup = "", , move = "", restore = ""] = output.stderr.split("\n");
    expect(what).toMatch(/PostgreSQL 15 created the cluster in .*this is PostgreSQL 18/);
    const argumentsIn = (command: string, name: string) => {
      expect(command).toMatch(new RegExp(`admin (?:-- )?${name} `));
      return command.slice(command.indexOf(`${name} `)).split(" ");
    };
    older.start();
    const made = await admin(dataDir, argumentsIn(backup, "backup"), { env: { DATABASE_URL: older.url } });
    expect(made).toMatchObject({ code: 0, answer: { click_count: 30 } });
    older.stop();
    expect(move).toMatch(/^mv /);
    execFileSync("sh", ["-c", move]);
    const restored = await admin(dataDir, argumentsIn(restore, "restore"));
    expect(restored).toMatchObject({ code: 0, answer: { click_count: 30 } });

    service = await startService(dataDir);
    expect(service.banner).toContain("PostgreSQL 18");
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${service.api}/v1/links/${link.id}`, { headers });
    expect(await answer.json()).toMatchObject({ data: { click_count: 30 } });
    const path = new URL(link.shortUrl).pathname;
    expect(await follow(`${service.short}${path}`)).toBe("https://example.com/kept");
    // The age of the backup is a metric.
    const metrics = await (await fetch(`${service.admin}/metrics`)).text();
    expect(metrics).toMatch(/^terse_last_backup_timestamp_seconds \d{10}/m);
    expect(await service.stop("SIGTERM")).toBe(0);
  },
);
