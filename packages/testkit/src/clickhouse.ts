import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killProcess } from "./kill.ts";
import { leaveOut } from "./missing.ts";

/**
 * The engine is 540 MB, so it is not a dependency: `npm install --prefix .data/chdb chdb@3.4.0` installs it, or `CHDB` names the folder
 * that has its `node_modules`.
 */
const program = process.env["CHDB"] ?? fileURLToPath(new URL("../../../.data/chdb", import.meta.url));

export const clickHouseMissing = !existsSync(join(program, "node_modules", "chdb"));
if (clickHouseMissing)
  leaveOut("Tests of ClickHouse", "no chdb (CONTRIBUTING.md says how to install it)", false);

export interface TestClickHouse {
  url: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Starts it again with the same data, at the same address. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. */
  close(): Promise<void>;
}

/** ClickHouse without tables. Any name of a database can be added to its URL. */
export async function startClickHouse(): Promise<TestClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
  const script = fileURLToPath(new URL("clickhouse-server.ts", import.meta.url));
  let server: ChildProcess;
  let port = "0";
  const start = async () => {
    server = spawn(process.execPath, [script, program, folder, port], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    port = said.toString().trim();
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => killProcess(server),
    restart: start,
    async close() {
      await killProcess(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
