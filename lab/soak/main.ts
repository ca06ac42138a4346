import { parseArgs } from "node:util";
import type { Row } from "../../apps/standalone/test/chaos/counts.ts";
import { canMount } from "../../apps/standalone/test/chaos/disk.ts";
import { ChaosHarness } from "../../apps/standalone/test/chaos/harness.ts";
import * as scenarios from "../../apps/standalone/test/chaos/scenarios.ts";
import { blockFolder, fillDisk, killMain, killQuietService } from "./faults.ts";

const usage = `Usage: npm --prefix lab run soak -- [--short]

Kills, stops and starves a service under load on this machine, and compares the responses with the counted clicks.

Options:
  --short     take one to two minutes instead of ten
  -h, --help  show this help

Exit code 0: every scenario was exact. Exit code 1: at least one was not. Exit code 2: unknown option.`;

const values = readOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const size = values.short
  ? { kills: 5, answers: 1000, workerKills: 3, workerEveryMs: 500, awayMs: 5000 }
  : { kills: 20, answers: 3300, workerKills: 15, workerEveryMs: 3000, awayMs: 60_000 };

const rows: Row[] = [];
const started = performance.now();

function readOptions(): { short?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { short: { type: "boolean" }, help: { type: "boolean", short: "h" } } })
      .values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(2);
  }
}

/** Runs a scenario and shows its progress on standard error if that is a terminal. */
async function run(what: string, scenario: (what: string) => Promise<Row>): Promise<void> {
  const seconds = Math.round((performance.now() - started) / 1000);
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${seconds} s: ${what} …`);
  rows.push(await scenario(what));
}

async function withHarness(workers: number, task: (harness: ChaosHarness) => Promise<void>): Promise<void> {
  const harness = await ChaosHarness.open(workers);
  try {
    await task(harness);
  } finally {
    await harness.close();
  }
}

await withHarness(1, async (harness) => {
  for (let at = 1; at <= size.kills; at++)
    await run(`kill -9, ${at} of ${size.kills}`, (what) =>
      scenarios.killService(harness, what, size.answers),
    );
  await run("kill -9 with no request pending", (what) => killQuietService(harness, what, size.answers));
  await run("SIGTERM", (what) => scenarios.stopService(harness, what, size.answers));
  await run(`database down for ${size.awayMs / 1000} s`, (what) =>
    scenarios.stopDatabase(harness, what, size.awayMs),
  );
  await run("click log not writable", (what) => blockFolder(harness, what, size.answers));
  if (canMount) await run("click log on a full disk", (what) => fillDisk(harness, what, size.answers));
});

await withHarness(2, async (harness) => {
  await run("2 workers: kill -9 of all", (what) => scenarios.killService(harness, what, size.answers));
  await run("2 workers: kill -9 of the main process", (what) => killMain(harness, what, size.answers));
  await run(`2 workers: kill -9 of one, ${size.workerKills} times`, (what) =>
    scenarios.killWorkers(harness, what, size.workerKills, size.workerEveryMs),
  );
  await run("2 workers: SIGTERM", (what) => scenarios.stopService(harness, what, size.answers));
  await run(`2 workers: database down for ${size.awayMs / 1000} s`, (what) =>
    scenarios.stopDatabase(harness, what, size.awayMs),
  );
});

if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
console.log(table(rows));
if (!canMount) console.log("(skipped the full disk: only root can mount one)");
const total = rows.reduce((sum, row) => sum + row.answered + row.bots, 0);
console.log(`\n${total} redirects in ${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = rows.every((row) => row.verdict === "exact") ? 0 : 1;

/** Formats aligned columns: text to the left, numbers to the right. */
function table(lines: readonly Row[]): string {
  const names = ["what", "sent", "answered", "cut", "counted", "bots", "lost", "verdict"] as const;
  const cells = [[...names] as string[], ...lines.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    at === 0 || at === names.length - 1 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
