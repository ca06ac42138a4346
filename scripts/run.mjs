// Installs what a program needs, then runs it with the Node of this checkout. Plain JavaScript, which an old Node can run.
// Usage: node scripts/run.mjs [--prod | --once] [OPTION OF NODE…] [FILE | PROGRAM] [ARGUMENT…]
//   --prod  installs only what running needs, unless more is installed
//   --once  the same, and nothing if anything is installed
// Without FILE or PROGRAM it only installs.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const shell = process.platform === "win32";
const modules = join(root, "node_modules");
const args = process.argv.slice(2);
const mode = ["--prod", "--once"].includes(args[0]) ? args.shift() : "";

if (mode !== "--once" || !existsSync(join(modules, ".modules.yaml"))) install();

const node = nodeProgram();
const [major, minor] = node.version.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Terse runs TypeScript directly and needs Node 22.18 or newer; this is Node ${node.version}, and the npm package "node" has no build for ${process.platform}-${process.arch}. Install a newer Node from your package manager and run the command again.`,
  );
  process.exit(1);
}
if (args.length > 0) run();

function install() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const npx = ["--loglevel=error", "-y", "--prefer-offline", packageManager];
  const options = ["install", "--frozen-lockfile"];
  if (mode) options.push("--trust-lockfile");
  if (mode && !existsSync(join(modules, "vitest"))) options.push("--prod");
  // Standard output belongs to the program.
  const { status, error } = spawnSync("npx", [...npx, ...options], {
    cwd: root,
    shell,
    stdio: ["ignore", 2, 2],
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The package `node`, where there is one for this machine, else the Node that runs this file. */
function nodeProgram() {
  const path = join(modules, "node/bin", shell ? "node.exe" : "node");
  if (!existsSync(path)) return { path: process.execPath, version: process.versions.node };
  return { path, version: JSON.parse(readFileSync(join(modules, "node/package.json"), "utf8")).version };
}

function run() {
  const isFile = /\.m?[jt]s$/.test(args.find((arg) => !arg.startsWith("-")) ?? "");
  const child = spawn(isFile ? node.path : args[0], isFile ? args : args.slice(1), {
    shell: shell && !isFile,
    stdio: "inherit",
    env: {
      NODE_COMPILE_CACHE: join(modules, ".cache/node"),
      ...process.env,
      PATH: [join(modules, ".bin"), process.env.PATH].join(delimiter),
    },
  });
  // A terminal signals every process, npm only this one: the programs bear both.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
