import { isLoopbackAddress } from "../network.ts";
import { listen, type Listener } from "../listen.ts";
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

function createAdminApp(node: Node): { fetch(request: Request): Promise<Response> } {
  const refusal = (status: number, error: string, headers?: Record<string, string>) =>
    Response.json({ data: null, error, meta: null }, { status, ...(headers && { headers }) });
  return {
    async fetch({ url, method }) {
      if (new URL(url).pathname !== "/metrics")
        return refusal(404, "No such path: /livez, /readyz, /metrics");
      if (method !== "GET" && method !== "HEAD")
        return refusal(405, `${method} is not possible here; GET is`, { Allow: "GET, HEAD" });
      const { text, contentType } = await openMetricsText(node.metrics());
      return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
    },
  };
}
