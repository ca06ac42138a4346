import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { browserUserAgent, tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, remove } from "../../apps/standalone/test/process.ts";
import { follow, ownerKey, shorten, startService } from "../../apps/standalone/test/service.ts";

/** What docs/operate.md says about point-in-time recovery, with Debian's programs. */
const programs = "/usr/lib/postgresql/15/bin";
const isThere = existsSync(programs) && existsSync("/usr/bin/pgbackrest");
if (!isThere && process.env.REQUIRE_SERVICES !== "1")
  console.warn(
    "Left out: postgresql-15 or pgbackrest is missing (on Debian: apt-get install postgresql-15 pgbackrest)",
  );

const isRoot = process.getuid?.() === 0;

/** A PostgreSQL whose log is archived by pgBackRest. */
async function archivedPostgres() {
  const folder = await tempFolder();
  const port = nextPort();
  const data = join(folder, "data");
  const config = join(folder, "pgbackrest.conf");
  const own = (path: string) => isRoot && chownSync(path, idOf("-u"), idOf("-g"));
  chmodSync(folder, 0o755);
  own(folder);
  for (const name of ["repo", "log", "lock", "spool"]) {
    mkdirSync(join(folder, name));
    own(join(folder, name));
  }
  writeFileSync(
    config,
    `[global]
repo1-path=${folder}/repo
repo1-retention-full=2
log-path=${folder}/log
lock-path=${folder}/lock
spool-path=${folder}/spool
start-fast=y
[terse]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}
pg1-user=terse
`,
  );
  chmodSync(config, 0o644);
  const as = (command: string, ...args: string[]) =>
    execFileSync(isRoot ? "runuser" : command, isRoot ? ["-u", "postgres", "--", command, ...args] : args, {
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
    });
  const control = (...args: string[]) =>
    as(join(programs, "pg_ctl"), "-D", data, "-w", "-l", join(folder, "log", "postgres"), ...args);
  as(
    join(programs, "initdb"),
    "-D",
    data,
    "-U",
    "terse",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  );
  const archive = `pgbackrest --config=${config} --stanza=terse archive-push %p`;
  writeFileSync(
    join(data, "postgresql.auto.conf"),
    `port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
wal_level = replica
archive_mode = on
archive_command = '${archive}'
`,
  );
  const start = () => control("start");
  const stop = () => control("-m", "fast", "stop");
  start();
  onTestFinished(() => void control("-m", "immediate", "stop"));
  return {
    url: `postgresql://terse@127.0.0.1:${port}/postgres`,
    start,
    stop,
    pgbackrest: (...args: string[]) => as("pgbackrest", `--config=${config}`, "--stanza=terse", ...args),
  };
}

const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

test.skipIf(!isThere && process.env.REQUIRE_SERVICES !== "1")(
  "a link that was deleted by mistake is back after a recovery to the moment before, and every click is counted once",
  { timeout: 300_000 },
  async () => {
    const postgres = await archivedPostgres();
    postgres.pgbackrest("stanza-create");
    const dataDir = await newDataDir();
    onTestFinished(() => remove(dataDir));
    const env = { DATABASE_URL: postgres.url };
    const before = await startService(dataDir, { env });
    onTestFinished(async () => void (await before.stop("SIGKILL")));
    postgres.pgbackrest("--type=full", "backup");
    // It looks for a backup that ended in an earlier second than the moment to go back to.
    await sleep(1000);

    const key = await ownerKey(dataDir);
    const [kept, lost] = [
      await shorten(before, key, "https://example.com/kept"),
      await shorten(before, key, "https://example.com/lost"),
    ];
    const click = async (count: number) => {
      for (let left = count; left > 0; left--)
        await fetch(kept.shortUrl, { redirect: "manual", headers: { "User-Agent": browserUserAgent } });
    };
    const counted = async () =>
      Number(
        (
          await query<{ n: string }>(
            postgres.url,
            `select click_count as n from links where id = '${kept.id}'`,
          )
        )[0]?.n,
      );
    await click(5);
    await until(async () => (await counted()) === 5);
    const [row] = await query<{ now: string }>(postgres.url, "select clock_timestamp()::text as now");
    await sleep(1000);
    await query(postgres.url, `delete from links where id = '${lost.id}'`);
    await click(7);
    await until(async () => (await counted()) === 12);
    await before.stop("SIGTERM");

    postgres.stop();
    postgres.pgbackrest(
      "--delta",
      "--type=time",
      `--target=${row?.now}`,
      "--target-action=promote",
      "restore",
    );
    postgres.start();
    await until(
      async () =>
        (await query<{ r: boolean }>(postgres.url, "select pg_is_in_recovery() as r"))[0]?.r === false,
    );
    expect(await counted()).toBe(5);
    const after = await startService(dataDir, { env });
    onTestFinished(async () => void (await after.stop("SIGKILL")));
    expect(await follow(after.short + new URL(lost.shortUrl).pathname)).toBe("https://example.com/lost");
    // The seven were counted after the moment: the node has kept them.
    await until(async () => (await counted()) === 12);
  },
);
