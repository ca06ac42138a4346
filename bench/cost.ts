import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCore } from "@terse/core";
import type { Pool } from "pg";
import { fill } from "./cost-data.ts";
import { type CostRequest, costRequests } from "./cost-requests.ts";
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
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

interface Cost {
  request: CostRequest;
  /** Milliseconds of CPU of the main process and of PostgreSQL */
  main: number;
  database: number;
  bytesOut: number;
  bytesStored: number;
  status: number;
}

/**
 * Prints what the dearest requests of each kind of caller cost; then what redirects of others take while eight
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

  const limited = await startService(database.url, folder, "limited");
  await printAttacks(limited, costs);
  await limited.stop();
  await pool.end();
  await database.close();
  rmSync(folder, { recursive: true });
}

async function startService(databaseUrl: string, folder: string, limits: string): Promise<Service> {
  const args = [databaseUrl, join(folder, limits), shortBase, limits];
  const { port, ask, stop } = await startPinned("cost-process.ts", args);
  const [http = 0, redirect = 0, mcp = 0] = port as unknown as number[];
  return { ports: { http, redirect, mcp }, cpu: async () => Number((await ask("cpu"))["ms"]), stop };
}

/** Sends a request again and again over one connection. */
async function measure(service: Service, pool: Pool, request: CostRequest): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () => send(service, agent, request);
  await once();
  const { status } = await once();
  const before = { main: await service.cpu(), database: await databaseCpu(pool), size: await sizeOf(pool) };
  const started = performance.now();
  let sent = 0;
  let bytes = 0;
  while (sent < most && performance.now() - started < longestMs) {
    bytes += (await once()).bytes;
    sent++;
  }
  const [main, cpu, size] = [await service.cpu(), await databaseCpu(pool), await sizeOf(pool)];
  agent.destroy();
  process.stderr.write(`  ${request.caller}: ${request.what}\n`);
  return {
    request,
    main: (main - before.main) / sent,
    database: used(before.database, cpu) / sent,
    bytesOut: bytes / sent,
    bytesStored: request.stores ? (size - before.size) / sent : 0,
    status,
  };
}

function send(
  { ports }: Service,
  agent: Agent,
  { host, method, path, headers, name, body }: CostRequest,
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

const columns = ["Caller", "Request", "Status", "Main process", "PostgreSQL", "Bytes out", "Bytes stored"];

function printCosts(costs: readonly Cost[]): void {
  console.log("Milliseconds of CPU and bytes of one request\n");
  console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`);
  const number = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));
  for (const { request, main, database, bytesOut, bytesStored, status } of costs) {
    const bytes = [bytesOut, bytesStored].map((value) => Math.round(value).toLocaleString("en"));
    const cells = [request.caller, request.what, status, number(main), number(database), ...bytes];
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
 * Sends a request over eight connections, each the next time as soon as it is answered. What it returns ends this, and returns how
 * many were answered a second.
 */
function attack(service: Service, request: CostRequest): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: attackers });
  const started = performance.now();
  let answered = 0;
  let going = true;
  const loop = async () => {
    while (going) {
      await send(service, agent, request).catch(() => {});
      answered++;
    }
  };
  const loops = Array.from({ length: attackers }, loop);
  return async () => {
    going = false;
    const perSecond = (answered / (performance.now() - started)) * 1000;
    await Promise.all(loops);
    agent.destroy();
    return perSecond;
  };
}
