import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/** The system user that PostgreSQL runs as; undefined where it is ourselves. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account that a new cluster belongs to. PostgreSQL refuses to run as root, so root needs another one:
 * `postgres` where that user exists, else `nobody`. Ordinary users run it themselves: undefined.
 * @throws when root finds neither
 */
export async function defaultAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user) {
    throw new Error(
      "PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as: start as an ordinary user, or set DATABASE_URL to an existing database.",
    );
  }
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * Whether the account can enter this folder, or execute this file.
 * @throws where this process may not start programs as another user, as in some containers
 */
export function canReach(account: Account, path: string): boolean {
  // Asked of the system rather than worked out from mode bits: access lists and mounts count too.
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', path], { ...account, cwd: "/", stdio: "ignore" });
  if (test.error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and no program can be started as user ${account.uid} here: start as an ordinary user, or set DATABASE_URL to an existing database.`,
      { cause: test.error },
    );
  }
  return test.status === 0;
}
