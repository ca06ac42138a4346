import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./parts/node.ts";

const migrations = "packages/core/src/schema/migrations";
/** The last file of the baseline, before which there is no version that a database can be upgraded from. */
const baseline = `${migrations}/0009-announcements.ts`;

const run = (command: string, args: string[], cwd = root) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The last released version; without a tag, the last commit before a migration was added to the baseline, or this one. */
function earlierCommit(): string {
  const [tag = ""] = run("git", ["tag", "--sort=-creatordate", "--merged"]).split("\n");
  if (tag !== "") return tag;
  const added = (path: string) =>
    run("git", ["log", "-1", "--first-parent", "--diff-filter=A", "--format=%H", "--", path]);
  const last = added(migrations);
  return last === added(baseline) ? "HEAD" : `${last}^`;
}

/** A checkout of the previous version, with all that it needs to run. */
export interface Earlier {
  folder: string;
  /** Its commit and what that says, for people */
  description: string;
  remove(): void;
}

/**
 * Checks the previous version out into a temporary folder and installs it.
 * @throws if there is no such commit, as in a clone without history
 */
export function checkOutEarlier(commit = earlierCommit()): Earlier {
  const folder = mkdtempSync(join(tmpdir(), "terse-earlier-"));
  const remove = () => {
    rmSync(folder, { recursive: true });
    run("git", ["worktree", "prune"]);
  };
  try {
    run("git", ["worktree", "add", "--detach", folder, commit]);
    run("npm", ["run", "--silent", "setup"], folder);
    return { folder, description: run("git", ["log", "-1", "--format=%h %s"], folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
