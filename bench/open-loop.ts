import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { onLoadCore } from "./processes.ts";

const seconds = 5;

/** Returns the 99th percentile in microseconds of requests sent at a fixed rate, whether or not earlier ones have a response. */
export async function p99(port: number, perSecond: number): Promise<number> {
  const script = join(import.meta.dirname, "open-loop-process.ts");
  // Before others on its core, such as the database: their work is not a redirect's delay. Only root can give priority.
  const [command, args] = onLoadCore("nice", [
    "-n",
    "-10",
    process.execPath,
    script,
    String(port),
    String(perSecond),
    String(seconds),
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  return Number(stdout);
}
