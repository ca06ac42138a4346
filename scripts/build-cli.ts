import { chmodSync, copyFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { manualPage } from "../packages/cli/src/index.ts";

/**
 * Makes packages/cli/dist, or the folder that is given: the program as one file without dependencies, and its manual page. Usage:
 * node scripts/build-cli.ts [folder]
 */

const source = join(import.meta.dirname, "../packages/cli");
const folder = process.argv[2] ?? join(source, "dist");

rmSync(folder, { recursive: true, force: true });
const build = await rolldown({ input: join(source, "src/terse.ts"), platform: "node" });
await build.write({ dir: folder, format: "esm", minify: { mangle: false, compress: true, codegen: true } });
await build.close();
chmodSync(join(folder, "terse.js"), 0o755);
writeFileSync(join(folder, "terse.1"), manualPage());

// The one foreign package in the bundle wants its licence beside it.
const uqr = createRequire(join(source, "package.json")).resolve("uqr");
copyFileSync(join(dirname(dirname(uqr)), "LICENSE"), join(folder, "LICENSE-uqr"));
