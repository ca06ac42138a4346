import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { darkTokens, lightTokens } from "@terse/server";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const compress = promisify(brotliCompress);
const run = promisify(execFile);

/**
 * Calls `use` with the folder of the built console, which is built first if its sources have changed since. Processes that
 * build at the same time do not disturb each other: each builds in its own folder and renames it. In a checkout that this
 * process must not write, the folder is temporary.
 */
export async function withConsole<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = join(dist, await sourcesHash());
  if (existsSync(folder)) return use(folder);
  const building = await newFolder();
  try {
    await build(building);
    const result = await use(building);
    if (building.startsWith(dist)) await keep(building, folder);
    return result;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function newFolder(): Promise<string> {
  try {
    await mkdir(dist, { recursive: true });
    return await mkdtemp(join(dist, "building-"));
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return mkdtemp(join(tmpdir(), "terse-console-"));
  }
}

/** Bundles in a process of its own, since the bundler takes much memory, and compresses the result. */
async function build(folder: string): Promise<void> {
  await run(process.execPath, [join(import.meta.dirname, "bundle.ts"), folder]);
  await Promise.all(
    (await filesIn(folder)).filter(isText).map(async (file) => writeCompressed(file, await readFile(file))),
  );
}

/** Gives a new build its final name, readable for the users of this checkout, and removes older ones. */
async function keep(building: string, folder: string): Promise<void> {
  await chmod(building, 0o755);
  await rename(building, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error; // another process was faster
  });
  await removeOthers(folder);
}

const isText = (file: string) => /\.(?:js|css|html|svg|json)$/.test(file);

/** Writes a text in brotli beside its file. */
export async function writeCompressed(file: string, text: Buffer): Promise<void> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await writeFile(`${file}.br`, await compress(text, { params }));
}

/** A hash of all that the build depends on: the console's own sources, the shared tokens and rules, the locked dependencies. */
async function sourcesHash(): Promise<string> {
  const hash = createHash("sha256").update(lightTokens).update(darkTokens);
  const sources = [...(await filesIn(join(root, "src"))), ...(await filesIn(import.meta.dirname))];
  const rules = new Set<string>();
  for (const name of ["@terse/core/browser", "@terse/importers", "@terse/importers/csv"])
    await addWithImports(fileURLToPath(import.meta.resolve(name)), rules);
  const lockfile = join(root, "../../pnpm-lock.yaml");
  const shipped = sources.filter((file) => !file.endsWith(".test.tsx")).toSorted();
  for (const file of [...shipped, ...rules, join(root, "package.json"), lockfile]) {
    if (!existsSync(file)) continue;
    hash.update(`\0${file.slice(root.length)}\0`).update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Adds a file and those of its package that it imports, also through others. */
async function addWithImports(file: string, files: Set<string>): Promise<Set<string>> {
  if (files.has(file)) return files;
  files.add(file);
  for (const [, name] of (await readFile(file, "utf8")).matchAll(/ from "(\.[^"]+)";$/gm)) {
    await addWithImports(join(dirname(file), name ?? ""), files);
  }
  return files;
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(dist);
  const old = names.filter((name) => join(dist, name) !== folder && !name.startsWith("building-"));
  await Promise.all(old.map((name) => rm(join(dist, name), { recursive: true, force: true })));
}
