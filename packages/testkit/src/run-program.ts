import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Runs a program of ours with no environment but this. */
export function run(file: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [file], { env });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const end = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, errors }));
  });
  return {
    /** The next line of its log */
    line: async () => JSON.parse(String((await lines.next()).value)) as { msg: string; url: string },
    /** Its exit code and all of its standard error */
    end: () => end,
    stop: () => child.kill("SIGTERM"),
  };
}
