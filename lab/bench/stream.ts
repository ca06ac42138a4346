import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { compare } from "./compare.ts";
import { type BenchDatabase, makeLinks, openDatabase } from "./database.ts";
import { type Server, onLoadCore, startPinned } from "./processes.ts";
import { connections, type Load, wrk } from "./wrk.ts";

const seconds = 5;
const rounds = 5;

/**
 * Compares redirects of one link by a process that ships its clicks to a stream to those of a process that only writes them to
 * its disk. The stream's server is on the core of the load. Every click must be in the log.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase({ clickFolder: join(folder, "off") });
  await makeLinks(database, 1);
  for (const server of [redis, nats]) {
    const { name, url, stop } = await server(folder);
    if (url === null) {
      console.log(`\n(${name} is not installed)`);
      continue;
    }
    const off = await start(database, join(folder, `${name}-off`));
    for (const shipping of ["async", "sync"]) {
      const product = await start(database, join(folder, `${name}-${shipping}`), url, shipping);
      console.log(`\n${name}, ${shipping}: one link, ${connections} connections, ${seconds} s per round`);
      const loads: Load[] = [];
      const round = (process: Server) => async () => {
        const load = await wrk(process.port, "/a0", seconds);
        if (process === product) loads.push(load);
        return load.perSecond;
      };
      await compare({
        unit: "redirects/s",
        rounds,
        baseline: { name: "without a stream", round: round(off) },
        product: { name: `CLICK_SHIPPING=${shipping}`, round: round(product) },
      });
      const { clicks, events } = await product.ask("stats");
      const { appended } = clicks as { appended: number };
      const received = loads.reduce((sum, { requests }) => sum + requests, 0);
      const exact = appended >= received && appended <= received + loads.length * connections;
      console.log(`  received ${received}, in the log ${appended}; ${JSON.stringify(events)}`);
      if (!exact) process.exitCode = 1;
      await product.stop();
    }
    await off.stop();
    await stop();
  }
  await database.close();
  rmSync(folder, { recursive: true });
}

const start = (database: BenchDatabase, folder: string, ...stream: string[]) =>
  startPinned("redirect-process.ts", [database.url, folder, "http://short.test", ...stream]);

interface StreamServer {
  name: string;
  /** Null if the program is missing */
  url: string | null;
  stop(): Promise<void>;
}

async function redis(folder: string): Promise<StreamServer> {
  const port = await freePort();
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  return running("Redis", `redis://127.0.0.1:${port}`, "redis-server", [...place, "--appendonly", "yes"]);
}

async function nats(folder: string): Promise<StreamServer> {
  const port = await freePort();
  const place = ["-a", "127.0.0.1", "-p", String(port), "-sd", join(folder, "nats")];
  return running("JetStream", `nats://127.0.0.1:${port}`, "nats-server", ["-js", ...place]);
}

async function running(name: string, url: string, program: string, args: string[]): Promise<StreamServer> {
  const [command, all] = onLoadCore(program, args);
  const child: ChildProcess = spawn(command, all, { stdio: "ignore" });
  child.on("error", () => {}); // the program is missing
  await sleep(1000);
  const isRunning = child.pid !== undefined && child.exitCode === null;
  return {
    name,
    url: isRunning ? url : null,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
