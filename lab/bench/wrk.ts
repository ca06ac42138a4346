import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { onLoadCore } from "./processes.ts";

/** A browser's user agent; other clicks would be counted as bots. */
export const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export const connections = 64;

export interface Load {
  perSecond: number;
  requests: number;
}

/** Closed-loop load on one URL, or on many with `paths` (a file with one path per line). Throws on any status but 302. */
export async function wrk(
  port: number,
  path: string,
  seconds: number,
  paths?: string,
  headers: readonly string[] = [],
): Promise<Load> {
  if (spawnSync("wrk", ["-v"]).error)
    throw new Error("wrk is not installed: apt-get install wrk, or brew install wrk");
  const script = join(import.meta.dirname, paths ? "paths.lua" : "status.lua");
  const args = [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    ...[`User-Agent: ${userAgent}`, ...headers].flatMap((header) => ["-H", header]),
    "-s",
    script,
  ];
  const url = `http://127.0.0.1:${port}${path}`;
  const [command, all] = onLoadCore("wrk", [...args, url, ...(paths ? ["--", paths] : [])]);
  const { stdout } = await promisify(execFile)(command, all, { env: { ...process.env } });
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const other = /others: (\d+)/.exec(stdout)?.[1];
  if (other !== "0" || !perSecond) throw new Error(`Not every response was a 302:\n${stdout}`);
  return { perSecond, requests };
}
