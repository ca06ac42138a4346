import { cp, mkdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

const packageFolder = dirname(import.meta.dirname);

/** Copies this package and its dependencies into `folder`, as a separate installation; returns the path of the holder script. */
export async function copyCheckout(folder: string): Promise<string> {
  for (const part of ["src", "test", "package.json"])
    await cp(join(packageFolder, part), join(folder, part), { recursive: true });
  await copyDependencies(
    join(packageFolder, "package.json"),
    join(packageFolder, "node_modules"),
    join(folder, "node_modules"),
  );
  return join(folder, "test", "holder.ts");
}

async function copyDependencies(manifest: string, from: string, to: string): Promise<void> {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(manifest, "utf8"));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const source = await realpath(join(from, name)).catch(() => undefined);
    if (!source) continue;
    await mkdir(dirname(join(to, name)), { recursive: true });
    await cp(source, join(to, name), { recursive: true, verbatimSymlinks: true, force: false });
    // pnpm places a package's dependencies next to it.
    const beside = source.slice(0, source.length - name.length - 1);
    await copyDependencies(join(source, "package.json"), beside, to);
  }
}
