import { execFile } from "node:child_process";
import { lchown, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { namedUser } from "./account.ts";
import { type Binaries, majorVersion } from "./binaries.ts";
import { unless } from "./errors.ts";
import type { Home } from "./home.ts";
import { superuser } from "./roles.ts";
import { makeUnfinished } from "./unfinished.ts";

/** A minimal, fixed environment, so that neither PG* variables nor the user's locale affect the server. */
export const environment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

// Only the server's user can enter the socket's folder, so `trust` is safe, and root can connect.
const initdbOptions = [
  `--username=${superuser}`,
  "--auth-local=trust",
  "--auth-host=reject",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-instructions",
  "--set=timezone=UTC",
  "--set=log_timezone=UTC",
  "--set=max_connections=200",
  "--set=shared_buffers=128MB",
];

// Decides what pg_trgm treats as a letter; without it, searches in non-Latin scripts could not use the index.
const utf8Ctype = process.platform === "darwin" ? "UTF-8" : "C.UTF-8";

/**
 * Creates the cluster unless it exists. It appears under its name only when complete, so a first start that was killed
 * can simply be repeated. The caller must hold the home's lock.
 * @throws {OtherMajorError} if another major version created it; an error if initdb fails
 */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  options: { durable: boolean; onProgress: (message: string) => void },
): Promise<void> {
  const version = (await unless(readFile(join(home.cluster, "PG_VERSION"), "utf8"), "ENOENT"))?.trim();
  if (version === majorVersion) return;
  if (version) throw new OtherMajorError(home.path, version);
  options.onProgress("Creating the database (first start only)");
  const unfinished = await makeUnfinished(home.path, "initdb");
  if (home.account) await lchown(unfinished, home.account.uid, home.account.gid);
  await initdb(home, binaries, [`--pgdata=${unfinished}`, ...(options.durable ? [] : ["--no-sync"])]);
  await rename(unfinished, home.cluster);
}

async function initdb(home: Home, binaries: Binaries, more: string[], ctype = utf8Ctype): Promise<void> {
  const named = home.account ? [] : await namedUser();
  const [program = "", ...args] = [
    ...named,
    binaries.initdb,
    ...initdbOptions,
    `--lc-ctype=${ctype}`,
    ...more,
  ];
  try {
    await promisify(execFile)(program, args, {
      ...home.account,
      cwd: "/",
      env: environment,
    });
  } catch (error) {
    const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    if (ctype !== "C" && stderr.includes("invalid locale name")) return initdb(home, binaries, more, "C");
    const nameless = named.length > 0 && !stderr.includes("initdb:");
    const hint = nameless ? `user ${process.geteuid?.()} needs an entry in /etc/passwd: ` : "";
    throw new Error(
      `PostgreSQL could not create its database in ${home.path} (or set DATABASE_URL to another one): ${hint}${stderr || String(error)}`,
      { cause: error },
    );
  }
}

/** Another major version of PostgreSQL created the cluster. */
export class OtherMajorError extends Error {
  /** The folder `postgres` of the data folder, with links resolved */
  readonly folder: string;
  readonly major: string;
  readonly isOlder: boolean;

  constructor(folder: string, major: string) {
    super(`PostgreSQL ${major} created the cluster in ${folder}, and this is PostgreSQL ${majorVersion}`);
    this.folder = folder;
    this.major = major;
    this.isOlder = Number(major) < Number(majorVersion);
  }
}
