import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rmdir,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Account, canReach, defaultAccount } from "./account.ts";
import { codeOf, succeeds, unless } from "./errors.ts";
import { sharedFolder } from "./shared-folder.ts";

/** The folders of one embedded server, and the account it runs as. All paths are absolute and without links. */
export interface Home {
  readonly path: string;
  readonly cluster: string;
  readonly leases: string;
  readonly lock: string;
  readonly log: string;
  readonly account: Account | undefined;
}

/**
 * Finds or creates the server's folder `dataDir/postgres`: a real folder if the server's account can reach it, otherwise
 * a link to one below /var/lib/terse.
 * @throws if the folder is gone or owned by another user
 */
export async function openHome(dataDir: string): Promise<Home> {
  const folder = join(resolve(dataDir), "postgres");
  await mkdir(resolve(dataDir), { recursive: true });
  if (!(await exists(folder))) await createHome(folder, resolve(dataDir));
  const path = await follow(folder);
  const cluster = join(path, "cluster");
  const account = await accountOf(cluster);
  return {
    path,
    cluster,
    leases: join(path, "leases"),
    lock: join(path, "lock"),
    log: join(path, "postgres.log"),
    account,
  };
}

/**
 * Checks that a server can be started. One that runs may be in a folder that only root can enter from outside, as with systemd's
 * `DynamicUser=`.
 * @throws if its user cannot enter the folder
 */
export function checkReach({ path, account }: Home): void {
  if (!account || canReach(account, path)) return;
  throw new Error(
    `PostgreSQL runs as user ${account.uid}, who cannot enter ${path}: give it access to the parent folders, or start as the owner of that folder.`,
  );
}

async function createHome(folder: string, dataDir: string): Promise<void> {
  const account = await defaultAccount();
  if (!account || canReach(account, dataDir)) {
    await mkdir(folder, { recursive: true });
    return account && chmod(folder, 0o755);
  }
  const shared = await mkdtemp(join(await sharedFolder(), "data-"));
  await chmod(shared, 0o755);
  // The link decides: if two first starts run at once, the slower one uses the other's folder.
  if (!(await succeeds(symlink(shared, folder), "EEXIST"))) return rmdir(shared);
  await writeFile(join(shared, "ORIGIN"), `Database of ${folder}, which its server's user cannot enter.\n`);
}

async function follow(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new Error(
      `${folder} points to ${await readlink(folder)}, which is gone, and the database with it: restore that folder, or remove the link to start with an empty database.`,
      { cause: error },
    );
  }
}

/** Root runs an existing cluster as its owner; other users can only run their own. */
async function accountOf(cluster: string): Promise<Account | undefined> {
  const found = await unless(stat(cluster), "ENOENT");
  const uid = process.getuid?.();
  if (!found || found.uid === 0) return defaultAccount();
  if (uid === 0) return { uid: found.uid, gid: found.gid };
  if (uid !== found.uid) {
    throw new Error(
      `${cluster} belongs to user ${found.uid}: start as that user or as root, or set another DATA_DIR.`,
    );
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return succeeds(lstat(path), "ENOENT");
}
