import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";

const sources = join(import.meta.dirname, "../src");
/** Where the service was built for this run; while watching, nowhere. */
export const build = process.env.TERSE_TEST_BUILD;
const namesInBuild = { "main.ts": [], "admin.ts": ["admin"] } as const;
type Program = keyof typeof namesInBuild;

/** Node's arguments that start a program of this app. */
export const argumentsOf = (program: Program, fromSources = false): string[] =>
  build && !fromSources ? [join(build, "terse.js"), ...namesInBuild[program]] : [join(sources, program)];

export interface Run {
  child: ChildProcess;
  /** Output so far */
  output: { stdout: string; stderr: string };
  /** Resolves with its exit code, or the signal that ended it */
  ended: Promise<number | NodeJS.Signals | null>;
}
export interface Options {
  env?: Record<string, string>;
  uid?: number;
  input?: string;
  /** Starts the program from its sources, for a test that names their modules */
  fromSources?: boolean;
  cwd?: string;
}

/** Options of Node that make each process write which modules of OpenTelemetry it loads. */
export const tellingOfOpenTelemetry = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      if (url.includes("@opentelemetry")) process.stderr.write(url);
      return next(url, context);
    },
  });
`)}`;

/** Creates a data folder that PostgreSQL's user can enter. */
export async function newDataDir(uid?: number): Promise<string> {
  const folder = await mkdtemp(join(process.env.DATA_DIR ?? tmpdir(), "terse-standalone-"));
  await chmod(folder, 0o755);
  if (uid !== undefined) await chown(folder, uid, uid);
  return folder;
}

export const remove = (folder: string) => rm(folder, { recursive: true, force: true });

/** Runs a program of this app; the service gets its own ports. */
export function run(program: Program, args: string[], options: Options = {}): Run {
  const { fromSources = false } = options;
  const env = {
    NODE_COMPILE_CACHE: build && !fromSources ? join(build, ".compiled") : compileCache,
    ...(program === "main.ts" && ports()),
    ...options.env,
  };
  return runCommand(process.execPath, [...argumentsOf(program, fromSources), ...args], { ...options, env });
}

/** Settings with ports that no other service uses. */
export const ports = () => ({
  HTTP_PORT: nextPort(),
  REDIRECT_PORT: nextPort(),
  MCP_PORT: nextPort(),
  ADMIN_PORT: nextPort(),
});

/** Runs a command in its own process group, as a terminal does, with only the given settings. */
export function runCommand(command: string, args: string[], { env, uid, input, cwd = "/" }: Options): Run {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: tmpdir(), NODE_COMPILE_CACHE: compileCache, ...env },
    cwd,
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output.stderr += text.toString()));
  child.stdin.end(input);
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  return { child, output, ended };
}

/** Runs the admin command to its end. `answer` is its JSON output, or null without output. */
export async function admin(dataDir: string, args: string[], options: Options = {}) {
  const { output, ended } = run("admin.ts", args, { ...options, env: { DATA_DIR: dataDir, ...options.env } });
  const code = await ended;
  const answer = output.stdout === "" ? null : JSON.parse(output.stdout);
  return { code, answer, ...output };
}

/** Returns processes that mention a data folder in arguments, environment or working folder. Empty without /proc. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const texts = await Promise.all([
        readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""),
        readFile(`/proc/${id}/environ`, "utf8").catch(() => ""),
        readlink(`/proc/${id}/cwd`).catch(() => ""),
      ]);
      return texts.some((text) => text.includes(dataDir)) ? [id] : [];
    }),
  );
  return found.flat();
}
