import { execFile } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@terse/testkit";
import type { Row } from "./counts.ts";
import type { ChaosHarness } from "./harness.ts";

/** Kills all processes of the service during redirects, starts it again, and compares the counts. */
export async function killService(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  const before = await harness.counts();
  const load = await harness.follow(Math.ceil(answers * (0.5 + Math.random())));
  await harness.service.stop("SIGKILL", "group");
  await load.stop();
  await harness.start();
  return harness.verdict(what, load, before);
}

/**
 * Repeats a run in which this process stalled for so long that the service closed connections that looked idle, as a
 * server may at any time (RFC 9112 section 9.3.1): such a run says nothing about the service.
 */
export async function withoutStalls(run: () => Promise<Row>): Promise<Row> {
  for (;;) {
    const delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
    const row = await run();
    delay.disable();
    if (row.cut === 0 || delay.max < 150e6) return row;
  }
}

/** Kills one worker after another under load; the service keeps running. */
export async function killWorkers(
  harness: ChaosHarness,
  what: string,
  kills: number,
  everyMs: number,
): Promise<Row> {
  const before = await harness.counts();
  const load = await harness.follow(100);
  for (let kill = 0; kill < kills; kill++) {
    const [victim] = await workersOf(harness);
    if (victim === undefined) throw new Error("There is no worker to kill");
    process.kill(victim, "SIGKILL");
    const { answered } = load;
    await until(() => load.answered > answered + 100);
    await until(async () => !(await workersOf(harness)).includes(victim));
    await sleep(everyMs);
  }
  await load.stop();
  return harness.verdict(what, load, before);
}

/** Stops the service with SIGTERM under load, starts it again, and compares the counts. */
export function stopService(harness: ChaosHarness, what: string, answers: number): Promise<Row> {
  return withoutStalls(async () => {
    const before = await harness.counts();
    const load = await harness.follow(answers);
    const code = await harness.service.stop("SIGTERM");
    await load.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${harness.service.output.stderr}`);
    await harness.start();
    return harness.verdict(what, load, before);
  });
}

/**
 * Stops the database under load for `awayMs`, after links were cached, and starts it again. The row has the service's
 * memory before and after.
 */
export async function stopDatabase(harness: ChaosHarness, what: string, awayMs: number): Promise<Row> {
  const before = await harness.counts();
  const load = await harness.follow(500, { pauseMs: 2 });
  const memory = await harness.memory();
  await harness.stopDatabase();
  const { answered } = load;
  await sleep(awayMs);
  await until(() => load.answered > answered + 100);
  const grown = await harness.memory();
  await harness.startDatabase();
  await sleep(500);
  await load.stop();
  return harness.verdict(`${what}, memory ${memory} to ${grown} MiB`, load, before);
}

/** Returns the workers' process ids. */
export async function workersOf(harness: ChaosHarness): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const main = String(harness.service.child.pid);
  return rows
    .filter(([, parent, ...args]) => parent === main && /worker\.[jt]s/.test(args.join(" ")))
    .map(([pid]) => Number(pid));
}
