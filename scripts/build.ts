import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyConsole } from "@terse/console";
import { copyPrograms } from "@terse/postgres";
import { rolldown } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { filesPlugin } from "./build/files-plugin.ts";
import { httpPlugin } from "./build/http-plugin.ts";
import { outputStyle } from "./build/output-style.ts";
import { thirdPartyLicenses } from "./build/third-party.ts";
import { trimPlugin } from "./build/trim-plugin.ts";
import { root } from "./pnpm.ts";

const usage = `Usage: npm run build [-- OPTIONS]

Writes the service into one folder that needs nothing but Node 22.18 or newer: node terse.js. The folder can be moved.

Options:
  -o, --output FOLDER   replace this folder (default: dist)
      --no-postgres     leave the embedded PostgreSQL out, which takes 57 of 87 MB; DATABASE_URL is then required
  -h, --help            show this help`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    output: { type: "string", short: "o", default: "dist" },
    postgres: { type: "boolean", default: true },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

/** The files that processes and threads start with; what they share becomes files beside them. */
const entries = {
  service: "apps/standalone/src/main.ts",
  admin: "apps/standalone/src/admin.ts",
  health: "apps/standalone/src/health.ts",
  redirect: "apps/redirect/src/main.ts",
  worker: "apps/redirect/src/workers/worker.ts",
  mcp: "apps/mcp/src/main.ts",
  "convert.worker": "packages/core/src/links/images/convert.worker.ts",
  "read.worker": "packages/core/src/links/from-file/read.worker.ts",
  "write.worker": "packages/core/src/analytics/parquet/write.worker.ts",
  "draw.worker": "packages/core/src/links/qr/draw.worker.ts",
};

const folder = resolve(root, values.output);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
  platform: "node",
  // An optional addition to the database driver that Terse does not use.
  external: ["pg-native"],
  plugins: [httpPlugin(), filesPlugin(folder), trimPlugin],
  // A package of the authorization server has one, which minifying without new names leaves intact.
  checks: { eval: false },
});
await bundle.write({
  ...outputStyle,
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
copyFileSync(join(root, "scripts/build/terse.js"), join(folder, "terse.js"));
chmodSync(join(folder, "terse.js"), 0o755);
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
writeFileSync(join(folder, "THIRD-PARTY-LICENSES"), `${thirdPartyLicenses()}\n`);
const { name, version, license } = manifest;
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify({ name, version, license, type: "module" })}\n`,
);
await copyConsole(join(folder, "console"));
if (values.postgres) await copyPrograms(folder);
