import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeLinks, openDatabase } from "./database.ts";

const laterStarts = 5;
const visits = 2000;
const root = join(import.meta.dirname, "../..");
/** As in the units and in the image */
const flags = ["--max-semi-space-size=8"];

interface Memory {
  resident: number;
  /** What is resident for this process alone, and would be free without it */
  own: number;
}

/** The processes of a service after their start, in the order in which they were started. */
interface Started {
  /** From the start of the program until a redirect was answered */
  ms: number;
  /** Memory of each process then, and after 2,000 redirects, in bytes */
  begun: Memory[];
  used: Memory[];
}

/**
 * Starts a built folder on a database that is there: time until the first redirect, and memory. "First" is with an empty
 * compile cache, "later" the median of five starts that find it full. The baseline is a Node that does nothing.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const dist = join(folder, "dist");
  const build = [join(root, "scripts/build.ts"), "--no-postgres", "--output", dist];
  const { status } = spawnSync(process.execPath, build, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("The build failed");
  const database = await openDatabase();
  await makeLinks(database, 1);

  const bare = await medianOf(async () => {
    const begun = performance.now();
    await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
    return performance.now() - begun;
  });
  console.log(`a Node that does nothing, from its start to its end: ${bare} ms`);
  console.log(
    "                                      first start   later   resident (own) memory of each process",
  );
  for (const [name, args, workers] of [
    ["the service, with a redirect worker", [], "1"],
    ["the service in one process", [], "0"],
    ["short links only, in one process", ["redirect"], "0"],
  ] as const) {
    const settings = {
      NODE_COMPILE_CACHE: join(folder, `cache-${name}`),
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, `data-${name}`),
      SHORT_BASE: "http://short.test",
      REDIRECT_WORKERS: workers,
    };
    const start = () => measure([join(dist, "terse.js"), ...args], settings);
    const first = await start();
    let last = first;
    const later = await medianOf(async () => (last = await start()).ms);
    const times = `${String(Math.round(first.ms)).padStart(9)} ms ${later.padStart(5)} ms`;
    console.log(`${name.padEnd(36)} ${times}   ${shown(last.begun)}; after redirects ${shown(last.used)}`);
  }
  await database.close();
  rmSync(folder, { recursive: true });
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);
const shown = (processes: readonly Memory[]) =>
  processes.map(({ resident, own }) => `${megabytes(resident)} (${megabytes(own)}) MB`).join(", ");

async function medianOf(measured: () => Promise<number>): Promise<string> {
  const all: number[] = [];
  for (let count = 0; count < laterStarts; count++) all.push(await measured());
  return String(Math.round(all.toSorted((a, b) => a - b)[laterStarts >> 1] as number));
}

async function measure(args: string[], settings: Record<string, string>): Promise<Started> {
  const [http, redirect, mcp, admin] = (await freePorts(4)) as [string, string, string, string];
  const ports = { HTTP_PORT: http, REDIRECT_PORT: redirect, MCP_PORT: mcp, ADMIN_PORT: admin };
  const begun = performance.now();
  const child = spawn(process.execPath, [...flags, ...args], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "error", ...settings, ...ports },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isRedirected(redirect))) {
    if (child.exitCode !== null) throw new Error("The service ended before it redirected");
    await sleep(2);
  }
  const ms = performance.now() - begun;
  const processes = processesOf(child);
  const atStart = processes.map(memoryOf);
  for (let visit = 0; visit < visits; visit++) await isRedirected(redirect);
  const used = processes.map(memoryOf);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { ms, begun: atStart, used };
}

const isRedirected = (port: string) =>
  new Promise<boolean>((resolve) => {
    request({ host: "127.0.0.1", port, path: "/a0", headers: { host: "short.test" } }, (response) => {
      response.resume();
      resolve(response.statusCode === 302);
    })
      .on("error", () => resolve(false))
      .end();
  });

/** A process and its children, from /proc. */
function processesOf({ pid }: ChildProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
  return [Number(pid), ...children.map(Number)];
}

function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * 1024;
  return { resident: bytes("Rss"), own: bytes("Private_Clean") + bytes("Private_Dirty") };
}

async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
