import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const core = join(import.meta.dirname, "../packages/core");
const [sources, tests] = [join(core, "src"), join(core, "test")];

/**
 * The test files to run after a source file was saved, few enough for an answer within seconds: those with the
 * file's name, else with the name of a file that imports it, and so on upwards within its feature; without any, those of
 * its folder. Of the small package of importers, all.
 */
export function nearestTests(source: string): string[] {
  if (!source.startsWith(sources)) return globSync(join(dirname(source), "../test/*.test.ts"));
  const feature = featureOf(source);
  const importers = importersIn(existsSync(join(tests, feature)) ? feature : ".");
  const seen = new Set<string>();
  for (let level = [source]; level.length > 0; ) {
    const found = new Set(level.flatMap(sameName));
    if (found.size > 0) return [...found];
    for (const file of level) seen.add(file);
    level = [...new Set(level.flatMap((file) => importers.get(file) ?? []))].filter(
      (file) => !seen.has(file),
    );
  }
  return inFolder(join(tests, dirname(source.slice(sources.length))));
}

const featureOf = (source: string) => source.slice(sources.length + 1).split("/")[0] ?? "";

/** Tests of folders below the root may be in any folder above them. */
function sameName(source: string): string[] {
  const name = basename(source).replace(/\.ts$/, ".test.ts");
  let folder = join(tests, dirname(source.slice(sources.length)));
  for (; folder !== tests; folder = dirname(folder))
    if (existsSync(join(folder, name))) return [join(folder, name)];
  return [];
}

/** The test with the folder's name, else all of the folder, or of the first one above that has any. */
function inFolder(folder: string): string[] {
  if (folder === tests || !folder.startsWith(tests)) return [];
  const main = join(folder, `${basename(folder)}.test.ts`);
  const found = existsSync(main) ? [main] : globSync(join(folder, "*.test.ts"));
  return found.length > 0 ? found : inFolder(dirname(folder));
}

/** Each file below a folder of the sources with those that import it. */
function importersIn(folder: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync(join(sources, folder, "**/*.ts"))) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}
