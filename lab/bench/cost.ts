import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCore } from "@terse/core";
import type { Pool } from "pg";
import { fill } from "./cost-data.ts";
import { parseRobots } from "../../packages/core/src/safety/health/robots.ts";
import { anyAddress, type CostRequest, costRequests } from "./cost-requests.ts";
import { openDatabase, openPool } from "./database.ts";
import { p99 } from "./open-loop.ts";
import { startPinned } from "./processes.ts";

const shortBase = "http://short.test";
const attackers = 8;
const redirectsPerSecond = 500;
/** Repetitions go on until a request has been sent that often, or for that long. */
const most = 60;
const longestMs = 3000;
const hourMs = 3_600_000;

interface Service {
  ports: Record<CostRequest["host"], number>;
  /** Milliseconds of all threads, and of the one that all requests share */
  cpu(): Promise<{ all: number; thread: number }>;
  stop(): Promise<void>;
}

interface Cost {
  request: CostRequest;
  /** Milliseconds of CPU of the main process, of its main thread, and of PostgreSQL */
  main: number;
  thread: number;
  database: number;
  bytesOut: number;
  bytesStored: number;
  status: number;
}

/**
 * Prints what the most expensive requests of each kind of caller cost; then what redirects of others take while eight
 * connections send the dearest ones, with the limits of a new installation. CPU of PostgreSQL is read from /proc. `--only TEXT`
 * leaves out requests whose caller and name do not match this regular expression.
 */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { only: { type: "string", default: "" } },
  });
  const only = new RegExp(values.only);
  const database = await openDatabase({ shortBase });
  const pool = openPool(database.url, 2);
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const end = new Date(Date.now() - hourMs);
  const filling = await createCore({
    databaseUrl: database.url,
    shortBase,
    clock: () => end,
    clickLog: { folder: join(folder, "fill"), fsync: "off" },
    rateLimits: { pro: 1e9 },
  });
  const data = await fill(filling, pool, end);
  await filling.close();
  const requests = costRequests(data).filter(({ caller, what }) => only.test(`${caller}: ${what}`));

  const open = await startService(database.url, folder, "unlimited");
  const costs: Cost[] = [];
  for (const request of requests) costs.push(await measure(open, pool, request));
  await open.stop();
  printCosts(costs);

  printRobots();

  const limited = await startService(database.url, folder, "limited");
  await printAttacks(limited, costs);
  await printPasswords(limited, data.slugs.password);
  await limited.stop();
  await pool.end();
  await database.close();
  rmSync(folder, { recursive: true });
}

async function startService(databaseUrl: string, folder: string, limits: string): Promise<Service> {
  const args = [databaseUrl, join(folder, limits), shortBase, limits];
  const { port, ask, stop } = await startPinned("cost-process.ts", args);
  const [http = 0, redirect = 0, mcp = 0] = port as unknown as number[];
  return { ports: { http, redirect, mcp }, cpu: () => ask("cpu") as Promise<never>, stop };
}

/** Sends a request again and again over one connection. */
async function measure(service: Service, pool: Pool, request: CostRequest): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () => send(service, agent, request);
  await once();
  const { status } = await once();
  const before = { cpu: await service.cpu(), database: await databaseCpu(pool), size: await sizeOf(pool) };
  const started = performance.now();
  let sent = 0;
  let bytes = 0;
  while (sent < most && performance.now() - started < longestMs) {
    bytes += (await once()).bytes;
    sent++;
  }
  const [{ all, thread }, cpu, size] = [await service.cpu(), await databaseCpu(pool), await sizeOf(pool)];
  agent.destroy();
  process.stderr.write(`  ${request.caller}: ${request.what}\n`);
  return {
    request,
    main: (all - before.cpu.all) / sent,
    thread: (thread - before.cpu.thread) / sent,
    database: used(before.database, cpu) / sent,
    bytesOut: bytes / sent,
    bytesStored: request.stores ? (size - before.size) / sent : 0,
    status,
  };
}

function send(
  { ports }: Service,
  agent: Agent,
  { host, method, path, headers, name, body, client }: CostRequest,
): Promise<{ status: number; bytes: number }> {
  const text = body?.();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        agent,
        host: "127.0.0.1",
        port: ports[host],
        method,
        path,
        headers: {
          "User-Agent": "Mozilla/5.0",
          ...headers,
          ...(name && { Host: name() }),
          ...(client && { "X-Forwarded-For": client() }),
          ...(text && { "Content-Length": Buffer.byteLength(text) }),
        },
      },
      (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => (bytes += chunk.length));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes }));
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

/** The time that each of PostgreSQL's connections to the benchmark's database has run, in milliseconds. */
async function databaseCpu(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database()",
  );
  return new Map(rows.map(({ pid }) => [pid, nanosecondsOf(pid) / 1e6]));
}

/** Connections that were closed in between do not count. */
function used(before: Map<number, number>, after: Map<number, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function nanosecondsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}

async function sizeOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>("select pg_total_relation_size('links') as size");
  return Number(rows[0]?.size);
}

const columns = [
  "Caller",
  "Request",
  "Status",
  "Main process",
  "Its main thread",
  "PostgreSQL",
  "Bytes out",
  "Bytes stored",
];

function printCosts(costs: readonly Cost[]): void {
  console.log("Milliseconds of CPU and bytes of one request\n");
  console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`);
  const number = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));
  for (const { request, main, thread, database, bytesOut, bytesStored, status } of costs) {
    const bytes = [bytesOut, bytesStored].map((value) => Math.round(value).toLocaleString("en"));
    const cells = [
      request.caller,
      request.what,
      status,
      number(main),
      number(thread),
      number(database),
      ...bytes,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/**
 * For each kind of caller, the two requests that cost the main process most, and the two that cost PostgreSQL most; and the floods
 * of the process that redirects, of which a plain redirect shows what any answer does to it.
 */
async function printAttacks(service: Service, costs: readonly Cost[]): Promise<void> {
  console.log(
    `\nRedirects of others (${redirectsPerSecond}/s), while ${attackers} connections send one request\n`,
  );
  console.log("| Caller | Request | p99 | Against quiet | Requests/s |\n|---|---|---|---|---|");
  const port = service.ports.redirect;
  await p99(port, redirectsPerSecond);
  for (const caller of ["anonymous", "free", "pro"] as const) {
    const own = costs.filter(({ request }) => request.caller === caller);
    const dearest = (of: "main" | "database") => own.toSorted((a, b) => b[of] - a[of]).slice(0, 2);
    const floods = own.filter(({ request }) => request.floods);
    const chosen = [...dearest("main"), ...dearest("database"), ...floods].map(({ request }) => request);
    for (const request of new Set(chosen)) {
      const quiet = await p99(port, redirectsPerSecond);
      const stop = attack(service, request);
      const loaded = await p99(port, redirectsPerSecond);
      const perSecond = await stop();
      const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(1)} ms`;
      console.log(
        `| ${caller} | ${request.what} | ${ms(loaded)} (quiet ${ms(quiet)}) | ${(loaded / quiet).toFixed(1)} | ${perSecond.toFixed(perSecond < 10 ? 1 : 0)} |`,
      );
    }
  }
}

/**
 * Sends a request over eight (or `connections`) connections, each the next time as soon as it is answered. What it returns ends this, and returns how
 * many were answered a second.
 */
function attack(service: Service, request: CostRequest, connections = attackers): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  let answered = 0;
  let going = true;
  const loop = async () => {
    while (going) {
      await send(service, agent, request).catch(() => {});
      answered++;
    }
  };
  const loops = Array.from({ length: connections }, loop);
  return async () => {
    going = false;
    const perSecond = (answered / (performance.now() - started)) * 1000;
    await Promise.all(loops);
    agent.destroy();
    return perSecond;
  };
}

/** Hostile files that a robots.txt may be, and a path that is compared with their rules */
function printRobots(): void {
  const size = 500 * 1024;
  const path = `/${"a".repeat(1990)}`;
  const files = {
    "500 KB of stars": `Disallow: /${"*".repeat(size)}`,
    "128 KB of stars": `Disallow: /${"*".repeat(127 * 1024)}`,
    "2,000 rules with two stars": "Disallow: /*aaab*b\n".repeat(2000),
    "140 rules of 900 characters": `Disallow: /*${"a".repeat(450)}b${"a".repeat(440)}\n`.repeat(140),
    "500 KB of short lines": "a\n".repeat(size / 2),
  };
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  console.log(
    "\nMilliseconds of CPU of reading a robots.txt and of asking it for a path of 2,000 characters\n",
  );
  console.log("| File | Reading | Asking | Bytes remembered |\n|---|---|---|---|");
  for (const [name, rules] of Object.entries(files)) {
    const started = cpu();
    const parsed = parseRobots(`User-agent: *\n${rules}`, "TerseBot");
    const read = cpu();
    parsed.allows(new URL(path, "https://example.com"));
    const [reading, asking] = [read - started, cpu() - read];
    console.log(
      `| ${name} | ${reading.toFixed(1)} | ${asking.toFixed(1)} | ${parsed.bytes.toLocaleString("en")} |`,
    );
  }
}

/** How long a visitor waits who types the right password, while sixty addresses guess as fast as they are answered. */
async function printPasswords(service: Service, slug: string): Promise<void> {
  const requestOf = (password: string, address: string): CostRequest => ({
    caller: "anonymous",
    what: "a password",
    host: "redirect",
    method: "POST",
    path: `/${slug}`,
    headers: { Host: "short.test", "Content-Type": "application/x-www-form-urlencoded" },
    body: () => `password=${password}`,
    client: () => address,
  });
  const addresses = Array.from({ length: 60 }, anyAddress);
  for (const address of addresses) {
    const agent = new Agent({ maxSockets: 1 });
    await send(service, agent, requestOf("wrong", address)).catch(() => {});
  }
  const stops = addresses.map((address) => attack(service, requestOf("wrong", address), 1));
  const waits: number[] = [];
  const agent = new Agent({ maxSockets: 1 });
  const statuses: number[] = [];
  for (let visit = 0; visit < 10; visit++) {
    const started = performance.now();
    statuses.push((await send(service, agent, requestOf("swordfish", anyAddress()))).status);
    waits.push(performance.now() - started);
  }
  const answered = await Promise.all(stops.map((stop) => stop()));
  const perSecond = answered.reduce((sum, each) => sum + each, 0);
  waits.sort((one, other) => one - other);
  const [middle = 0, last = 0] = [waits[5], waits.at(-1)];
  console.log(
    `\nThe right password of a new visitor, while 60 addresses guess (${perSecond.toFixed(1)} answers/s): ${middle.toFixed(0)} ms, at most ${last.toFixed(0)} ms (${[...new Set(statuses)].join(", ")})`,
  );
}
