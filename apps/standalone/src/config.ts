import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { readSettings, type Settings } from "@terse/server";

const root = join(import.meta.dirname, "../../..");

/** @throws {SettingsError} naming every bad setting */
export function readConfig(): Settings {
  return readSettings(process.env, root);
}

/**
 * The same for a process that listens: port 0 becomes a free port, before the public addresses are made of it.
 * @throws {SettingsError} naming every bad setting
 */
export async function readListeningConfig(): Promise<Settings> {
  const settings = readConfig();
  const names = ["HTTP_PORT", "REDIRECT_PORT", "MCP_PORT"] as const;
  const open = names.filter((name) => settings[name] === 0);
  const given = new Set(names.map((name) => String(settings[name])));
  let ports = await freePorts(open.length);
  while (ports.some((port) => given.has(port))) ports = await freePorts(open.length);
  return readSettings(
    { ...process.env, ...Object.fromEntries(open.map((name, at) => [name, ports[at]])) },
    root,
  );
}

/** A file name as the person typed it, made absolute: npm runs scripts in the checkout's root, wherever it was called. */
export function fileOfCaller(name: string): string {
  const { INIT_CWD, npm_lifecycle_event } = process.env;
  return resolve(npm_lifecycle_event === "admin" && INIT_CWD ? INIT_CWD : process.cwd(), name);
}

/** Held until all are known, so that no two are the same. */
async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
