import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { killProcess } from "./kill.ts";
import { isMissing } from "./missing.ts";
import { tempFolder } from "./temp-folder.ts";

export const redisMissing = isMissing("redis-server", { isRequired: true });

/**
 * A separate Redis on a socket, or on a port for settings that need a URL. It has no persistence, or a file that survives a
 * crash. It stops when the test ends.
 */
export async function startRedis({ durable = false, port = "0" } = {}) {
  const folder = await tempFolder();
  const socket = join(folder, "redis.sock");
  const appendonly = durable ? "yes" : "no";
  let server: ChildProcess;

  const start = async () => {
    const place = ["--port", port, "--unixsocket", socket, "--dir", folder];
    server = spawn("redis-server", [...place, "--save", "", "--appendonly", appendonly], { stdio: "ignore" });
    const client = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    client.on("error", () => {}); // it comes up in a moment
    await client.ping();
    client.disconnect();
  };
  const kill = () => killProcess(server);
  await start();
  onTestFinished(kill);
  return {
    url: port === "0" ? socket : `redis://127.0.0.1:${port}`,

    kill,
    restart: start,
    /** Stops answering, but keeps its connections open. */
    freeze: () => server.kill("SIGSTOP"),
  };
}
