import type { Core } from "@terse/core";
import { serveHttp } from "@terse/http";
import { serveMcp } from "@terse/mcp-server";
import { type RedirectServerOptions, serveRedirects } from "@terse/redirect";
import { adminHost, listen, type Listener, type Node, type NodeApp, type Settings } from "@terse/server";

/** The short-link host only needs a RedirectCore; the other two need the whole core. */
type ListenerOptions = RedirectServerOptions & { core: Core; node: Node };

/** The listeners' names in messages, and the settings of their ports. */
const ports = [
  ["http", "HTTP_PORT"],
  ["redirect", "REDIRECT_PORT"],
  ["mcp", "MCP_PORT"],
  ["admin", "ADMIN_PORT"],
] as const;

/**
 * Opens the ports of all listeners and closes them again.
 * @throws {ListenError} for the first one whose address or port is not available
 */
export async function tryPorts(settings: Settings): Promise<void> {
  const open: Listener[] = [];
  try {
    for (const [name, portSetting] of ports) {
      const app: NodeApp = async (_request, response) => void response.writeHead(503).end();
      const host = name === "admin" ? adminHost(settings) : settings.HOST;
      open.push(await listen({ name, app, host, port: settings[portSetting], portSetting }));
    }
  } finally {
    await Promise.all(open.map((listener) => listener.close(0)));
  }
}

/**
 * Opens the API, the short-link host and the MCP host; if one fails, the others are closed again.
 * @throws {ListenError} for the first one, in this order, whose address or port is not available
 */
export async function openAll(options: ListenerOptions): Promise<Listener[]> {
  const results = await Promise.allSettled([serveHttp(options), serveRedirects(options), serveMcp(options)]);
  const listeners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return listeners;
  await closeAll(listeners);
  throw failed.reason;
}

/** Closes all listeners at the same time. */
export async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}
