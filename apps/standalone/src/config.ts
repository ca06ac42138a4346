import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import {
  createServiceManager,
  readSettings,
  rootFolder,
  type ServiceManager,
  type Settings,
} from "@terse/server";
import { runningService } from "./service-record.ts";

const root = rootFolder();

/** The settings of the command line, which reads its own. */
export const environment: NodeJS.ProcessEnv = process.env;

/** The settings on which the default of a public address depends. */
const portOf = { BASE_URL: "HTTP_PORT", SHORT_BASE: "REDIRECT_PORT", MCP_URL: "MCP_PORT" } as const;

/**
 * Reads the settings of a command. Addresses that are not set are those of the service that runs on the data folder.
 * @throws {SettingsError} listing every invalid setting
 */
export function readConfig(): Settings {
  const settings = readSettings(process.env, root);
  const addresses = runningService(settings.DATA_DIR);
  if (!addresses) return settings;
  const unset = Object.entries(portOf).filter(([name, port]) => !process.env[name] && !process.env[port]);
  const running = unset.map(([name]) => [name, addresses[name as keyof typeof portOf]]);
  return readSettings({ ...process.env, ...Object.fromEntries(running) }, root);
}

/**
 * Reads the settings of a process that listens: port 0 is replaced by a free port, because the default URLs contain the port.
 * @throws {SettingsError} listing every invalid setting
 */
export async function readListeningConfig(): Promise<Settings> {
  const settings = readSettings(process.env, root);
  const names = ["HTTP_PORT", "REDIRECT_PORT", "MCP_PORT", "ADMIN_PORT"] as const;
  const open = names.filter((name) => settings[name] === 0);
  const given = new Set(names.map((name) => String(settings[name])));
  let ports = await freePorts(open.length);
  while (ports.some((port) => given.has(port))) ports = await freePorts(open.length);
  return readSettings(
    { ...process.env, ...Object.fromEntries(open.map((name, at) => [name, ports[at]])) },
    root,
  );
}

/** The process that started this one, if it wants reports of the service's state. */
export const serviceManager = (): ServiceManager => createServiceManager(process.env);

/** Keeps all ports open until the last one is known, so that they differ. */
async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
