import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { darkTokens, lightTokens } from "@terse/server";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const compress = promisify(brotliCompress);
const run = promisify(execFile);

/**
 * Returns the folder of the built console, and builds it first if its sources have changed since. Processes that build at
 * the same time do not disturb each other: each builds in its own folder and renames it.
 */
export async function builtConsole(): Promise<string> {
  const folder = join(dist, await sourcesHash());
  if (!existsSync(folder)) {
    await build(folder);
    await removeOthers(folder);
  }
  return folder;
}

async function build(folder: string): Promise<void> {
  await mkdir(dist, { recursive: true });
  const outDir = await mkdtemp(join(dist, "building-"));
  try {
    // A process of its own: the bundler takes much memory.
    await run(process.execPath, [join(import.meta.dirname, "bundle.ts"), outDir]);
    await Promise.all((await filesIn(outDir)).filter(isText).map(writeCompressed));
    await rename(outDir, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error; // another process was faster
    });
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

const isText = (file: string) => /\.(?:js|css|html|svg|json)$/.test(file);

async function writeCompressed(file: string): Promise<void> {
  const text = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await writeFile(`${file}.br`, await compress(text, { params }));
}

/** A hash of all that the build depends on: the console's own sources, the shared tokens and the locked dependencies. */
async function sourcesHash(): Promise<string> {
  const hash = createHash("sha256").update(lightTokens).update(darkTokens);
  const sources = [...(await filesIn(join(root, "web"))), ...(await filesIn(import.meta.dirname))];
  const lockfile = join(root, "../../pnpm-lock.yaml");
  for (const file of [...sources.toSorted(), join(root, "package.json"), lockfile]) {
    if (!existsSync(file)) continue;
    hash.update(`\0${file.slice(root.length)}\0`).update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 16);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(dist);
  const old = names.filter((name) => join(dist, name) !== folder && !name.startsWith("building-"));
  await Promise.all(old.map((name) => rm(join(dist, name), { recursive: true, force: true })));
}
