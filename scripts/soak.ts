import { type Row } from "../apps/standalone/test/chaos/counts.ts";
import { blockFolder, canMount, fillDisk } from "../apps/standalone/test/chaos/disk.ts";
import { Stage } from "../apps/standalone/test/chaos/harness.ts";
import * as trials from "../apps/standalone/test/chaos/scenarios.ts";

/**
 * `npm run soak`: kills, stops and starves a service under load on this machine, and prints what was answered and what
 * was counted. Exits with 1 when a line is not exact. `--short` takes a minute or two instead of ten.
 */

const short = process.argv.includes("--short");
const size = short
  ? { kills: 5, answers: 1000, workerKills: 3, workerEveryMs: 500, awayMs: 5000 }
  : { kills: 20, answers: 3300, workerKills: 15, workerEveryMs: 3000, awayMs: 60_000 };

const rows: Row[] = [];
const began = performance.now();

async function trial(what: string, run: (what: string) => Promise<Row>): Promise<void> {
  const seconds = Math.round((performance.now() - began) / 1000);
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${seconds} s: ${what} …`);
  rows.push(await run(what));
}

async function onStage(workers: number, script: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await Stage.open(workers);
  try {
    await script(stage);
  } finally {
    await stage.close();
  }
}

await onStage(1, async (stage) => {
  for (let at = 1; at <= size.kills; at++)
    await trial(`kill -9, ${at} of ${size.kills}`, (what) => trials.killService(stage, what, size.answers));
  await trial("kill -9 when all was answered", (what) => trials.killQuietService(stage, what, size.answers));
  await trial("SIGTERM", (what) => trials.stopService(stage, what, size.answers));
  await trial(`database stopped ${size.awayMs / 1000} s`, (what) =>
    trials.stopDatabase(stage, what, size.awayMs),
  );
  await trial("click log not writable", (what) => blockFolder(stage, what, size.answers));
  if (canMount) await trial("click log on a full disk", (what) => fillDisk(stage, what, size.answers));
});

await onStage(2, async (stage) => {
  await trial("2 workers: all killed -9", (what) => trials.killService(stage, what, size.answers));
  await trial("2 workers: the main process killed -9", (what) => trials.killMain(stage, what, size.answers));
  await trial(`2 workers: one killed -9, ${size.workerKills} times`, (what) =>
    trials.killWorkers(stage, what, size.workerKills, size.workerEveryMs),
  );
  await trial("2 workers: SIGTERM", (what) => trials.stopService(stage, what, size.answers));
  await trial(`2 workers: database stopped ${size.awayMs / 1000} s`, (what) =>
    trials.stopDatabase(stage, what, size.awayMs),
  );
});

if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
console.log(table(rows));
if (!canMount) console.log("(the full disk was left out: only root can mount one)");
const total = rows.reduce((sum, row) => sum + row.answered + row.bots, 0);
console.log(`\n${total} redirects in ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = rows.every((row) => row.verdict === "exact") ? 0 : 1;

/** Aligned columns: words to the left, numbers to the right. */
function table(lines: readonly Row[]): string {
  const names = ["what", "sent", "answered", "cut", "counted", "bots", "lost", "verdict"] as const;
  const cells = [[...names] as string[], ...lines.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    at === 0 || at === names.length - 1 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
