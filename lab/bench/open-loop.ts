import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { onLoadCore } from "./processes.ts";

const seconds = 5;

/** Returns the 99th percentile in microseconds of requests sent at a fixed rate, whether or not earlier ones have a response. */
export async function p99(port: number, perSecond: number): Promise<number> {
  const script = join(import.meta.dirname, "open-loop-process.ts");
  const [command, args] = onLoadCore(process.execPath, [
    script,
    String(port),
    String(perSecond),
    String(seconds),
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  return Number(stdout);
}
