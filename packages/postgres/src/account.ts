import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";

/** The system user that PostgreSQL runs as; undefined for the current user. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that owns a new cluster. PostgreSQL refuses to run as root, so for root it is `postgres` if that
 * user exists, else `nobody`. For other users it is undefined: they run it themselves.
 * @throws if root finds neither
 */
export async function defaultAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const account = await systemAccount();
  if (!account) {
    throw new Error(
      "PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as: start as an ordinary user, or set DATABASE_URL to an existing database.",
    );
  }
  return account;
}

async function systemAccount(): Promise<Account | undefined> {
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  return user && { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * The command under which initdb finds a name for our user: it refuses a uid without a passwd entry, as containers use.
 * In a user namespace the uid appears as a system user's; its files still belong to the real uid. Empty if it has a name.
 */
export async function namedUser(): Promise<string[]> {
  try {
    userInfo();
    return [];
  } catch {
    const account = await systemAccount();
    if (!account) return [];
    return ["unshare", "--user", `--map-user=${account.uid}`, `--map-group=${account.gid}`, "--"];
  }
}

/**
 * Whether the account can enter this folder or execute this file.
 * @throws if this process cannot start programs as another user, as in some containers
 */
export function canReach(account: Account, path: string): boolean {
  // Tested by the system, not computed from mode bits, because access lists and mounts matter too.
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', path], { ...account, cwd: "/", stdio: "ignore" });
  if (test.error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and no program can be started as user ${account.uid} here: start as an ordinary user, or set DATABASE_URL to an existing database.`,
      { cause: test.error },
    );
  }
  return test.status === 0;
}
