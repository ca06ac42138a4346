import { execFile } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@terse/testkit";
import type { Row } from "./counts.ts";
import type { Stage } from "./harness.ts";

/** Kills every process of the service in the middle of redirects, starts it again, and looks whether all is counted. */
export async function killService(stage: Stage, what: string, answers: number): Promise<Row> {
  const before = await stage.counts();
  const load = await stage.follow(Math.ceil(answers * (0.5 + Math.random())));
  await stage.service.stop("SIGKILL", "group");
  await load.stop();
  await stage.start();
  return stage.verdict(what, load, before);
}

/** The same, with clients that have been answered everything when the kill comes: not one may be uncertain. */
export async function killQuietService(stage: Stage, what: string, answers: number): Promise<Row> {
  const before = await stage.counts();
  const load = await stage.follow(answers);
  await load.stop();
  await stage.service.stop("SIGKILL", "group");
  await stage.start();
  return stage.verdict(what, load, before);
}

/**
 * Makes a trial again in which these clients stood still for so long that the service ended connections of theirs that
 * looked idle, as a server may at any time (RFC 9112 section 9.3.1): it shows nothing of the service.
 */
async function undisturbed(trial: () => Promise<Row>): Promise<Row> {
  for (;;) {
    const delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
    const row = await trial();
    delay.disable();
    if (row.cut === 0 || delay.max < 150e6) return row;
  }
}

/** Kills the main process alone: its workers finish what they have accepted, and leave. */
export function killMain(stage: Stage, what: string, answers: number): Promise<Row> {
  return undisturbed(async () => {
    const before = await stage.counts();
    const workers = await workersOf(stage);
    const load = await stage.follow(answers);
    await stage.service.stop("SIGKILL");
    await load.stop();
    await until(() => !workers.some(isAlive));
    await stage.start();
    return stage.verdict(what, load, before);
  });
}

/** Kills one worker after another under load; the service itself goes on. */
export async function killWorkers(stage: Stage, what: string, kills: number, everyMs: number): Promise<Row> {
  const before = await stage.counts();
  const load = await stage.follow(100);
  for (let kill = 0; kill < kills; kill++) {
    const [victim] = await workersOf(stage);
    if (victim === undefined) throw new Error("No worker is there to be killed");
    process.kill(victim, "SIGKILL");
    const { answered } = load;
    await until(() => load.answered > answered + 100);
    await until(async () => !(await workersOf(stage)).includes(victim));
    await sleep(everyMs);
  }
  await load.stop();
  return stage.verdict(what, load, before);
}

/** Asks the service to stop under load, starts it again, and looks whether all is counted. */
export function stopService(stage: Stage, what: string, answers: number): Promise<Row> {
  return undisturbed(async () => {
    const before = await stage.counts();
    const load = await stage.follow(answers);
    const code = await stage.service.stop("SIGTERM");
    await load.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${stage.service.output.stderr}`);
    await stage.start();
    return stage.verdict(what, load, before);
  });
}

/**
 * Stops the database under load for a while, and brings it back. Links are cached by then. The row says how much
 * memory the service has before and after.
 */
export async function stopDatabase(stage: Stage, what: string, awayMs: number): Promise<Row> {
  const before = await stage.counts();
  const load = await stage.follow(500, { pauseMs: 2 });
  const memory = await stage.memory();
  await stage.stopDatabase();
  const { answered } = load;
  await sleep(awayMs);
  await until(() => load.answered > answered + 100);
  const grown = await stage.memory();
  await stage.startDatabase();
  await sleep(500);
  await load.stop();
  return stage.verdict(`${what}, memory ${memory} to ${grown} MiB`, load, before);
}

/** The workers' process ids. */
export async function workersOf(stage: Stage): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const main = String(stage.service.child.pid);
  return rows
    .filter(([, parent, ...args]) => parent === main && /worker\.ts/.test(args.join(" ")))
    .map(([pid]) => Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
