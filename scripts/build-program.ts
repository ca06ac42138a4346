import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { manualPage } from "../packages/cli/src/index.ts";
import { serverJson } from "../packages/mcp-bridge/src/server-json.ts";

/**
 * Makes the `dist` of a program's package, or the folder that is given: the program without dependencies, the licences of what is
 * in it, and the manual page of `terse` or the registry's entry of the other. Usage: node scripts/build-program.ts cli|mcp-bridge [folder]
 */

const programs: Record<string, { entry: string; more?: (folder: string) => void }> = {
  cli: {
    entry: "terse.ts",
    more: (folder) => writeFileSync(join(folder, "terse.1"), manualPage()),
  },
  "mcp-bridge": {
    entry: "terse-mcp.ts",
    more: (folder) => writeFileSync(join(folder, "server.json"), `${JSON.stringify(serverJson, null, 2)}\n`),
  },
};

const [name = "", given] = process.argv.slice(2);
const program = programs[name];
if (!program) throw new Error(`Name one of ${Object.keys(programs).join(", ")}`);
const source = join(import.meta.dirname, "../packages", name);
const folder = given ?? join(source, "dist");

rmSync(folder, { recursive: true, force: true });
const build = await rolldown({ input: join(source, "src", program.entry), platform: "node" });
const { output } = await build.write({
  dir: folder,
  format: "esm",
  minify: { mangle: false, compress: true, codegen: true },
});
await build.close();
chmodSync(join(folder, program.entry.replace(/ts$/, "js")), 0o755);
program.more?.(folder);

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
