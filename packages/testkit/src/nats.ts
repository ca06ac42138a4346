import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killProcess } from "./kill.ts";
import { isMissing } from "./missing.ts";
import { tempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

export const natsMissing = isMissing("nats-server", { isRequired: true });

/** A separate NATS server with JetStream, on a free port. It stops when the test ends. */
export async function startNats() {
  const folder = await tempFolder();
  let port = -1; // the first time the server takes a free one
  let server: ChildProcess;

  const start = async () => {
    const place = ["-a", "127.0.0.1", "-p", String(port), "--ports_file_dir", folder];
    server = spawn("nats-server", ["-js", "-sd", join(folder, "store"), ...place], { stdio: "ignore" });
    const portsFile = async () => (await readdir(folder)).find((file) => file.endsWith(".ports"));
    await until(async () => (await portsFile()) !== undefined);
    const file = join(folder, (await portsFile()) ?? "");
    let text = "";
    await until(async () => (text = await readFile(file, "utf8")).includes("}"));
    const { nats } = JSON.parse(text) as { nats: string[] };
    port = Number(new URL(nats[0] ?? "").port);
    await unlink(file);
  };
  const kill = () => killProcess(server);
  await start();
  onTestFinished(kill);
  return { url: `nats://127.0.0.1:${port}`, kill, restart: start };
}
