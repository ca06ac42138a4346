import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  newDataDir,
  ports,
  processesOf,
  remove,
  type Run,
  runCommand,
} from "../../apps/standalone/test/process.ts";
import { serving } from "../../apps/standalone/test/service.ts";

const root = join(import.meta.dirname, "../..");
const ignored = new Set(["node_modules", ".data", ".git", "dist", "coverage"]);
/** The PATH of a new terminal; npm adds this checkout's programs to it. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

/**
 * Packages for formatting, linting, compiling, testing and measuring, as pnpm writes their folders. `@types/node` is none of
 * them: libraries that the service runs depend on it.
 */
const development =
  /^(typescript|vite|vitest|lightningcss|oxlint|playwright-core|axe-core|autocannon|@(biomejs|redocly|types|vitest)\+(?!node$).*)$/;

/** Whether any process of a group is left; signal 0 only checks that. */
function groupRuns(id: number): boolean {
  try {
    return process.kill(-id, 0);
  } catch {
    return false;
  }
}

describe("on a fresh clone without installed dependencies", () => {
  let folder: string;
  let dataDir: string;
  const runs: Run[] = [];
  const start = (command: string, args: string[], more: Record<string, string> = {}) => {
    const env = { PATH, HOME: process.env.HOME ?? tmpdir(), DATA_DIR: dataDir, ...ports(), ...more };
    const run = runCommand(command, args, { cwd: folder, env });
    runs.push(run);
    return run;
  };
  const npm = (args: string[]) => start("npm", args);
  const terse = (args: string[], more?: Record<string, string>) => start("./terse", args, more);

  /** Names of the installed packages. */
  const installed = () =>
    readdirSync(join(folder, "node_modules/.pnpm")).map((name) => name.replace(/(?<=.)@.*/, ""));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "terse-clone-"));
    dataDir = await newDataDir();
    cpSync(root, folder, { recursive: true, filter: (path) => !ignored.has(basename(path)) });
  });
  afterAll(async () => {
    for (const { child } of runs)
      if (groupRuns(Number(child.pid))) process.kill(-Number(child.pid), "SIGTERM");
    await Promise.all(runs.map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true });
    await remove(dataDir);
  });

  it("./terse installs what the service needs without a warning, and prints only one JSON object", async () => {
    const { output, ended } = terse(["admin", "user", "list"]);
    expect(await ended, output.stderr).toBe(0);
    expect(JSON.parse(output.stdout)).toEqual({ users: [] });
    expect(output.stderr).toContain("Done in");
    expect(output.stderr).not.toMatch(/WARN|awaiting approval/);
    expect(installed()).toEqual(expect.arrayContaining(["hono", "node", "pg", "zod"]));
    expect(installed()).not.toEqual(expect.arrayContaining([expect.stringMatching(development)]));
  });

  it("./terse prints errors to standard error, and does not install again", async () => {
    const { output, ended } = terse(["admin", "key", "create", "--email", "no@one.test"]);
    expect(await ended).toBe(1);
    expect(output).toEqual({ stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  });

  /** Starts the service, asks it with the command line, and stops it by a signal to npm alone. */
  async function startAndStop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
    const service = await serving(npm(["start"]));
    const short = terse(["shorten", "https://example.com/"], { TERSE_URL: service.api });
    expect(await short.ended, short.output.stderr).toBe(0);
    expect(short.output.stderr).not.toContain("Done in");
    await service.stop(signal);
    expect(await processesOf(dataDir)).toEqual([]);
  }

  it("npm start serves without development dependencies, and SIGTERM to npm alone stops everything", async () => {
    await startAndStop("SIGTERM");
    expect(installed()).not.toEqual(expect.arrayContaining([expect.stringMatching(development)]));
  });

  it("npm start keeps development dependencies that are installed, and SIGINT to npm alone stops everything", async () => {
    const { output, ended } = npm(["run", "--silent", "setup"]);
    expect(await ended, output.stderr).toBe(0);
    const all = installed();
    expect(all).toEqual(expect.arrayContaining(["oxlint", "playwright-core", "typescript", "vitest"]));
    await startAndStop("SIGINT");
    expect(installed()).toEqual(all);
  });
});
