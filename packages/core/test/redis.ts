import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

export const redisMissing = spawnSync("redis-server", ["--version"]).error !== undefined;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}

/** A Redis of one's own on a free port, with nothing on disk. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), "terse-redis-"));
  const port = await freePort();
  let server: ChildProcess;

  const start = async () => {
    const options = [
      "--port",
      `${port}`,
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
      "--appendonly",
      "no",
    ];
    server = spawn("redis-server", options, { stdio: "ignore" });
    const client = new Redis(port, "127.0.0.1", { retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    client.on("error", () => {}); // it comes up in a moment
    await client.ping();
    client.disconnect();
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: start,
    /** Stops answering, and keeps its connections open. */
    freeze: () => server.kill("SIGSTOP"),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
