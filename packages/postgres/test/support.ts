import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { onTestFinished } from "vitest";
import { type PostgresServer, type StartOptions, startPostgres } from "../src/index.ts";
import { isRunning } from "../src/process-mark.ts";

export const isRoot = process.getuid?.() === 0;

/** A folder that is removed after the test. */
export async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, "terse-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder that every user can enter; after the test its server is stopped and the folder removed. */
export async function dataFolder(parent = process.env.DATA_DIR): Promise<string> {
  const folder = await temporaryFolder(parent);
  await chmod(folder, 0o755);
  onTestFinished(async () => {
    const pid = await serverPid(folder);
    if (pid !== undefined && isRunning(pid))
      await (await startPostgres({ dataDir: folder, durable: false })).stop();
    if (existsSync(join(folder, "postgres"))) {
      await rm(await realpath(join(folder, "postgres")), { recursive: true, force: true });
    }
  });
  return folder;
}

let prepared: Promise<string> | undefined;

/** A data folder whose cluster exists: a copy, since creating one takes a second of CPU time. */
export async function folderWithCluster(): Promise<string> {
  prepared ??= prepareCluster();
  const [source, folder] = [await prepared, await dataFolder()];
  const { status, stderr } = spawnSync("cp", ["-a", `${source}/.`, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

async function prepareCluster(): Promise<string> {
  const folder = await mkdtemp(join(process.env.DATA_DIR ?? tmpdir(), "terse-cluster-"));
  await chmod(folder, 0o755);
  await (await startPostgres({ dataDir: folder, durable: false })).stop();
  return folder;
}

/** Starts a server in this process and releases it after the test at the latest. */
export async function start(dataDir: string, options: Partial<StartOptions> = {}): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, durable: false, ...options });
  onTestFinished(() => server.stop());
  return server;
}

export interface Holder {
  child: ChildProcess;
  url: string;
  adopted: boolean;
}

/** Starts a server from another process, by default with the script next to this file. */
export async function hold(
  dataDir: string,
  {
    script = join(import.meta.dirname, "holder.ts"),
    node = process.execPath,
    args = [],
    ...options
  }: HoldOptions = {},
): Promise<Holder> {
  // Without the variables of the test run, which point to its packages.
  const env = { PATH: "/usr/bin:/bin" };
  const child = spawn(node, [script, dataDir, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
    ...options,
  });
  onTestFinished(async () => void (child.exitCode ?? child.signalCode ?? (await kill(child, "SIGKILL"))));
  let errors = "";
  child.stderr?.on("data", (chunk) => (errors += chunk));
  if (!child.stdout) throw new Error("The holder has no output");
  for await (const line of createInterface(child.stdout)) return { child, ...JSON.parse(line) };
  throw new Error(`The holder ended: ${errors}`);
}

type HoldOptions = SpawnOptions & { script?: string; node?: string; args?: string[] };

/** Sends a signal to a child and waits for its end. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

/** Sends a signal to any process and waits for its end. */
export async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  while (isRunning(pid)) await new Promise((done) => setTimeout(done, 5));
}

/** The first row of a query. */
export async function query(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

/** Runs statements, each in its own transaction. */
export async function run(url: string, ...statements: string[]): Promise<void> {
  for (const statement of statements) await query(url, statement);
}

/** Returns the server's pid from its pid file, or undefined. */
export async function serverPid(dataDir: string): Promise<number | undefined> {
  const file = join(dataDir, "postgres", "cluster", "postmaster.pid");
  if (!existsSync(file)) return undefined;
  return Number((await readFile(file, "utf8")).split("\n")[0]);
}

/** The folder of the server's socket. */
export function socketFolder(url: string): string {
  return decodeURIComponent(new URL(url).hostname);
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
