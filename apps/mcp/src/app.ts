import { createMcpHandler } from "@modelcontextprotocol/server";
import { AppError, type Core } from "@terse/core";
import {
  createClientInfo,
  health,
  type Logger,
  maxBodyBytes,
  requestLog,
  type ServerEnv,
  type Settings,
  withSecurityHeaders,
} from "@terse/server";
import { Hono } from "hono";
import { identify } from "./credentials.ts";
import { guard } from "./guard.ts";
import { errorResponse } from "./error-response.ts";
import { createMcpServer } from "./server.ts";

export interface McpAppOptions {
  core: Core;
  settings: Pick<Settings, "MCP_URL" | "BASE_URL" | "TRUSTED_PROXIES">;
  logger: Logger;
}

/**
 * The MCP host: streamable HTTP at /mcp, without sessions. Each request names its caller and is answered by a server
 * made for it, so that nothing is shared between callers and any node can answer.
 */
export function createMcpApp({ core, settings, logger }: McpAppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  app.use(requestLog(logger, createClientInfo(settings.TRUSTED_PROXIES)));
  app.use(withSecurityHeaders, async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  });
  app.get("/health", health);
  app.use("/mcp", guard(settings));
  app.all("/mcp", async (c) => {
    const actor = await identify(c, core);
    if (c.req.method !== "POST") {
      // GET would open a stream and DELETE end a session; there are neither.
      return errorResponse(c, new AppError("METHOD_NOT_SUPPORTED", "Only POST is served here"), {
        Allow: "POST",
      });
    }
    const log = logger.child({ request_id: c.var.requestId });
    const handler = createMcpHandler(() => createMcpServer({ core, actor, logger: log }), {
      maxRequestBodySize: maxBodyBytes,
      onerror: (error) => log.debug({ err: error }, "refused by the protocol"),
    });
    return handler.fetch(c.req.raw);
  });

  app.notFound((c) => errorResponse(c, new AppError("NOT_FOUND", "No such path: MCP is served at /mcp")));
  app.onError((error, c) => errorResponse(c, error));
  return app;
}
