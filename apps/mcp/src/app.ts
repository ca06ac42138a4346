import { createMcpHandler } from "@modelcontextprotocol/server";
import { AppError, type Core } from "@terse/core";
import {
  createClientInfo,
  health,
  listen,
  type Listener,
  type Logger,
  createProbes,
  createRequestSpans,
  measureRequests,
  nameSpans,
  type Node,
  readBody,
  requestLog,
  resourcesOf,
  type ServerEnv,
  type Settings,
  withSecurityHeaders,
} from "@terse/server";
import { Hono } from "hono";
import { identify } from "./caller.ts";
import { challengeFor, metadataRoutes } from "./challenge.ts";
import { guard } from "./guard.ts";
import { errorResponse } from "./error-response.ts";
import { parseMessage } from "./message.ts";
import { createMcpServer } from "./server.ts";
import { demandScopes } from "./step-up.ts";

export interface McpAppOptions {
  core: Core;
  settings: Pick<Settings, "MCP_URL" | "BASE_URL" | "TRUSTED_PROXIES">;
  logger: Logger;
}

/**
 * Creates the MCP host: streamable HTTP at /mcp, without sessions. Each request carries its API key or access token and
 * gets a server of its own, so callers share no state and any node can answer.
 */
export function createMcpApp({ core, settings, logger }: McpAppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  app.use(requestLog(logger, createClientInfo(settings.TRUSTED_PROXIES)));
  app.use(withSecurityHeaders(settings.MCP_URL), async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  });
  app.use(measureRequests(core.meter, "mcp"), nameSpans(core.tracer));
  app.get("/health", health);
  const { mcp: resource } = resourcesOf(settings);
  app.route("/", metadataRoutes(settings));
  app.use("/mcp", guard(settings));
  app.all("/mcp", async (c) => {
    const actor = await identify(c, core, resource);
    if (c.req.method !== "POST") {
      // GET would open a stream and DELETE would end a session; we have neither.
      return errorResponse(c, new AppError("METHOD_NOT_SUPPORTED", "Only POST is supported here"), {
        Allow: "POST",
      });
    }
    const parsedBody = parseMessage(await readBody(c.req.raw));
    demandScopes(actor, parsedBody);
    const log = logger.child({ request_id: c.var.requestId });
    const handler = createMcpHandler(() => createMcpServer({ core, actor, logger: log }), {
      onerror: (error) => log.debug({ err: error }, "rejected by the protocol"),
    });
    return handler.fetch(c.req.raw, { parsedBody });
  });

  app.notFound((c) => errorResponse(c, new AppError("NOT_FOUND", "No such path: the MCP endpoint is /mcp")));
  app.onError((error, c) => errorResponse(c, error, challengeFor(c, error, resource)));
  return app;
}

/**
 * Opens the MCP host in this process.
 * @throws {ListenError} if the address or port is not available
 */
export function serveMcp(options: McpAppOptions & { settings: Settings; node?: Node }): Promise<Listener> {
  const { settings, logger, node } = options;
  return listen({
    name: "mcp",
    app: createMcpApp(options),
    ...(node && { probes: createProbes(node, logger) }),
    spans: createRequestSpans(options.core.tracer, settings.TRUSTED_PROXIES),
    host: settings.HOST,
    port: settings.MCP_PORT,
    portSetting: "MCP_PORT",
    logger,
  });
}
