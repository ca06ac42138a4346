import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Value of NODE_COMPILE_CACHE: Node's cache of compiled code halves the start time. `npm start` uses the same folder. */
export const compileCache = join(import.meta.dirname, "../../../node_modules/.cache/node");

/** Runs one of our programs with only this environment and the compile cache. */
export function run(file: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [file], { env: { NODE_COMPILE_CACHE: compileCache, ...env } });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const end = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, errors }));
  });
  return {
    /** Returns the next line of its log. */
    line: async () => JSON.parse(String((await lines.next()).value)) as { msg: string; url: string },
    /** Returns its exit code and its whole standard error. */
    end: () => end,
    stop: (signal: NodeJS.Signals = "SIGTERM") => child.kill(signal),
  };
}
