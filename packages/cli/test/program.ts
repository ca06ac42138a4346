import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compileCache } from "@terse/testkit";

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Builds the program as it is published; returns its folder. */
export function buildProgram(folder: string): string {
  execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-program.ts"), folder]);
  return folder;
}

/** Starts the program with nothing in its environment but this. */
export function start(folder: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(folder, "terse.js"), ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  const ended = once(child, "close").then(
    ([status]): Ended => ({ status: status as number | null, ...output }),
  );
  return { child, output, ended };
}
