import type { ServerResponse } from "node:http";
import { isLoopbackAddress } from "../network.ts";
import { listen, type Listener, type NodeApp } from "../listen.ts";
import type { Logger } from "../log.ts";
import type { Settings } from "../settings/read.ts";
import { openMetricsText } from "./exposition.ts";
import type { Node } from "./node.ts";
import { createProbes } from "./probes.ts";

type AdminSettings = Pick<Settings, "HOST" | "ADMIN_HOST" | "ADMIN_PORT">;

/** Where the listener for operators listens: ADMIN_HOST, else HOST if that is a loopback address, else 127.0.0.1. */
export const adminHost = ({ HOST, ADMIN_HOST }: Pick<AdminSettings, "HOST" | "ADMIN_HOST">): string =>
  ADMIN_HOST ?? (isLoopbackAddress(HOST) ? HOST : "127.0.0.1");

/**
 * Opens the listener for operators: /livez, /readyz with reasons, and /metrics.
 * @throws {ListenError} if the address or port is not available
 */
export function serveAdmin(options: {
  settings: AdminSettings;
  node: Node;
  logger: Logger;
}): Promise<Listener> {
  const { settings, node, logger } = options;
  return listen({
    name: "admin",
    app: createAdminApp(node),
    probes: createProbes(node, logger, "operators"),
    host: adminHost(settings),
    port: settings.ADMIN_PORT,
    portSetting: "ADMIN_PORT",
    logger,
  });
}

function createAdminApp(node: Node): NodeApp {
  const refuse = (response: ServerResponse, status: number, error: string) =>
    send(response, status, "application/json", JSON.stringify({ data: null, error, meta: null }));
  return async ({ url = "", method = "GET" }, response) => {
    const [path] = url.split("?", 1);
    if (path !== "/metrics") return refuse(response, 404, "No such path: /livez, /readyz, /metrics");
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return refuse(response, 405, `${method} is not allowed here; use GET`);
    }
    const { text, contentType } = await openMetricsText(node.metrics());
    response.setHeader("Cache-Control", "no-store");
    send(response, 200, contentType, text);
  };
}

/** Node leaves out the body of an answer to HEAD. */
function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { "Content-Type": contentType, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
