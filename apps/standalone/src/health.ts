import { parseArgs } from "node:util";
import { exitBecause, UserError } from "@terse/server";
import { readConfig } from "./config.ts";

/** `node terse.js health [http | redirect | mcp]` exits with 0 if that listener of this machine answers, for containers. */

const ports = { http: "HTTP_PORT", redirect: "REDIRECT_PORT", mcp: "MCP_PORT" } as const;
const timeoutMs = 5000;

async function main(): Promise<void> {
  const [name = "http"] = parseArgs({ allowPositionals: true }).positionals;
  if (!Object.hasOwn(ports, name)) throw new UserError(`The listeners are ${Object.keys(ports).join(", ")}`);
  const { HOST, ...settings } = readConfig();
  const url = `http://${hostOf(HOST)}:${settings[ports[name as keyof typeof ports]]}/health`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => error);
  if (answer instanceof Error) throw new UserError(`${url} does not answer`, { cause: answer });
  if (!answer.ok) throw new UserError(`${url} answers ${answer.status}`);
}

/** The host in a URL for this machine: a service that listens on all addresses is asked on a loopback one. */
const hostOf = (host: string) =>
  ({ "0.0.0.0": "127.0.0.1", "::": "[::1]" })[host] ?? (host.includes(":") ? `[${host}]` : host);

await main().catch(exitBecause);
