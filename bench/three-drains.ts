import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const start = (databaseUrl: string, folder: string) =>
  fork(join(import.meta.dirname, "drain-process.ts"), [databaseUrl, folder]);

const answerOf = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0];

/** Counts what is in these folders, each by a process like another node's; returns clicks a second of all together. */
export async function drainTogether(
  databaseUrl: string,
  folders: readonly string[],
): Promise<{ clicks: number; rate: number }> {
  const drains = folders.map((folder) => start(databaseUrl, folder));
  await Promise.all(drains.map(answerOf));
  const started = performance.now();
  for (const drain of drains) drain.send("begin");
  const counts = await Promise.all(drains.map(answerOf));
  const seconds = (performance.now() - started) / 1000;
  const clicks = counts.reduce<number>((sum, count) => sum + Number(count), 0);
  return { clicks, rate: clicks / seconds };
}
