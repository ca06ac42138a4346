import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { manualPage, serverJson } from "../packages/cli/src/index.ts";

/**
 * Makes the `dist` of @terse/cli, or the folder that is given: the program without dependencies, the licences of what is in it, its
 * manual page and its entry in the registry of MCP servers. Usage: node scripts/build-program.ts [folder]
 */

const source = join(import.meta.dirname, "../packages/cli");
const folder = process.argv[2] ?? join(source, "dist");

rmSync(folder, { recursive: true, force: true });
const build = await rolldown({ input: join(source, "src/terse.ts"), platform: "node" });
const { output } = await build.write({
  dir: folder,
  format: "esm",
  minify: { mangle: false, compress: true, codegen: true },
});
await build.close();
chmodSync(join(folder, "terse.js"), 0o755);
writeFileSync(join(folder, "terse.1"), manualPage());
writeFileSync(join(folder, "server.json"), `${JSON.stringify(serverJson, null, 2)}\n`);

// Foreign packages in the bundle want their licences beside it.
const packages = new Map<string, string>();
for (const chunk of output)
  for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
    const [, path, foreign] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? [];
    if (path && foreign) packages.set(foreign, path);
  }
for (const [foreign, path] of packages) {
  const license = readdirSync(path).find((file) => /^licen[cs]e/i.test(file));
  if (!license) throw new Error(`${foreign} has no licence`);
  copyFileSync(join(path, license), join(folder, `LICENSE-${foreign.replaceAll("/", "-").replace("@", "")}`));
}
