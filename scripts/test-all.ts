import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTestFolder } from "./test-folder.ts";

/**
 * `npm run test:all`: every test, those tagged `long` and those of the lab too; the core's tests on the oldest PostgreSQL that
 * is supported; and the short soak. REQUIRE_SERVICES=1 fails where a program is missing.
 */

const root = join(import.meta.dirname, "..");
const folder = createTestFolder();
const oldest = "/usr/lib/postgresql/15/bin";

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, DATA_DIR: folder, ...env },
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")} ended with ${status}`);
}
const vitest = (args: string[] = [], env: Record<string, string> = {}) =>
  run(
    "vitest",
    ["run", ...(args.includes("--config") ? [] : ["--config", "vitest.workspace.ts"]), ...args],
    env,
  );

/** Runs a task beside a server of the oldest PostgreSQL, which as root runs as the user `postgres`. */
function withOldestPostgres(task: (databaseUrl: string) => void): void {
  const home = join(folder, "oldest");
  const data = join(home, "data");
  mkdirSync(home);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(home, idOf("-u"), idOf("-g"));
  const server = (program: string, ...args: string[]) => {
    const command = [join(oldest, program), "-D", data, ...args];
    run(isRoot ? "runuser" : "env", [...(isRoot ? ["-u", "postgres", "--"] : []), ...command]);
  };
  server("initdb", "-U", "terse", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8");
  const settings = `-k ${home} -c listen_addresses='' -c fsync=off -c max_connections=300`;
  server("pg_ctl", "-w", "-l", join(home, "log"), "-o", settings, "start");
  try {
    task(`postgresql://terse@${encodeURIComponent(home)}/postgres`);
  } finally {
    server("pg_ctl", "-m", "immediate", "stop");
  }
}

const idOf = (option: string) =>
  Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout.trim());

const steps: [name: string, step: () => void][] = [
  ["every test", () => vitest()],
  ["the lab's tests", () => vitest(["--config", "lab/vitest.config.ts"])],
  [
    "the core on PostgreSQL 15",
    () => {
      if (existsSync(oldest))
        withOldestPostgres((url) => vitest(["--project", "core"], { DATABASE_URL: url }));
      else if (process.env.REQUIRE_SERVICES === "1") throw new Error(`${oldest} is missing`);
      else console.warn(`Left out: ${oldest} is missing (on Debian: apt-get install postgresql-15)`);
    },
  ],
  ["a short soak", () => run("node", ["lab/soak/main.ts", "--short"])],
];

const times: string[] = [];
try {
  for (const [name, step] of steps) {
    const started = performance.now();
    step();
    times.push(`✓ ${name} (${Math.round((performance.now() - started) / 1000)} s)`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  console.log(times.join("\n"));
}
