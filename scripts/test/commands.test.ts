import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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
  const npm = (args: string[]) => {
    const env = { PATH, HOME: process.env.HOME ?? tmpdir(), DATA_DIR: dataDir, ...ports() };
    const run = runCommand("npm", args, { cwd: folder, env });
    runs.push(run);
    return run;
  };

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

  it("npm run admin installs dependencies, and prints only one JSON object", async () => {
    const { output, ended } = npm(["run", "--silent", "admin", "--", "user", "list"]);
    expect(await ended, output.stderr).toBe(0);
    expect(JSON.parse(output.stdout)).toEqual({ users: [] });
    expect(existsSync(join(folder, "node_modules/.modules.yaml"))).toBe(true);
  });

  it("npm run admin prints errors to standard error, and does not install again", async () => {
    const { output, ended } = npm([
      "run",
      "--silent",
      "admin",
      "--",
      "key",
      "create",
      "--email",
      "no@one.test",
    ]);
    expect(await ended).toBe(1);
    expect(output).toEqual({ stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "npm start serves, and %s to npm alone stops everything",
    async (signal) => {
      const service = await serving(npm(["start"]));
      expect((await fetch(`${service.api}/health`)).status).toBe(200);
      await service.stop(signal);
      expect(await processesOf(dataDir)).toEqual([]);
    },
  );
});
