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
import { resourceOf, servers } from "./servers.ts";
import { requireScopes } from "./step-up.ts";

export interface McpAppOptions {
  core: Core;
  settings: Pick<Settings, "MCP_URL" | "BASE_URL" | "TRUSTED_PROXIES">;
  logger: Logger;
}

/**
 * Creates the MCP host: streamable HTTP at /mcp and /mcp/full, without sessions. Each request carries its API key or access token and
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
  app.route("/", metadataRoutes(settings));
  for (const server of servers) {
    const resource = resourceOf(server, settings);
    app.use(server.path, guard(settings));
    app.all(server.path, async (c) => {
      try {
        const actor = await identify(c, core, resource);
        if (c.req.method !== "POST") {
          // GET would open a stream and DELETE would end a session; we have neither.
          return errorResponse(c, new AppError("METHOD_NOT_SUPPORTED", "Only POST is supported here"), {
            Allow: "POST",
          });
        }
        const parsedBody = parseMessage(await readBody(c.req.raw));
        requireScopes(actor, server, parsedBody);
        const log = logger.child({ request_id: c.var.requestId });
        const handler = createMcpHandler(() => createMcpServer({ core, actor, logger: log }, server), {
          onerror: (error) => log.debug({ err: error }, "rejected by the protocol"),
        });
        return await handler.fetch(c.req.raw, { parsedBody });
      } catch (error) {
        return errorResponse(c, error, challengeFor(c, error, server, resource));
      }
    });
  }

  app.notFound((c) =>
    errorResponse(c, new AppError("NOT_FOUND", "No such path: the MCP endpoints are /mcp and /mcp/full")),
  );
  app.onError((error, c) => errorResponse(c, error));
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
