import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Starts the API host in its own process, as in production, on a free port. */
export async function startHttpService(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(join(import.meta.dirname, "service-process.ts"), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
