import { createTestCore, type TestCore } from "@terse/core/testing";
import type { CoreOptions } from "@terse/core";
import { createHttpApp, type HttpAppOptions } from "@terse/http";
import { createLogger, type FetchApp, listen } from "@terse/server";
import { afterAll } from "vitest";

export interface Service extends TestCore {
  /** Where the API is */
  url: string;
  /** Where the MCP server is */
  mcpUrl: string;
}

/** As `serve`, closed after the tests of the file. */
export async function startService(...options: Parameters<typeof serve>): Promise<Service> {
  const service = await serve(...options);
  afterAll(service.close);
  return service;
}

/** The API of a core on a database of its own, on a free port, and the MCP server beside it if its app is given. */
export async function serve(
  options: Partial<CoreOptions> = {},
  createMcpApp?: (options: HttpAppOptions) => FetchApp,
): Promise<Service> {
  const testCore = await createTestCore(options);
  const logger = createLogger({ level: "silent" });
  const apps: { http?: FetchApp; mcp?: FetchApp } = {};
  // An app must know its address, so it comes after the listener.
  const listenAs = (name: "http" | "mcp") =>
    listen({
      name,
      app: {
        fetch: (request, env) => apps[name]?.fetch(request, env) ?? new Response(null, { status: 503 }),
      },
      host: "127.0.0.1",
      port: 0,
      portSetting: "HTTP_PORT",
      logger,
    });
  const http = await listenAs("http");
  const mcp = createMcpApp && (await listenAs("mcp"));
  const appOptions = {
    core: testCore.core,
    settings: {
      BASE_URL: http.url,
      SHORT_BASE: "http://short.test",
      MCP_URL: mcp?.url ?? "http://mcp.test",
      TRUSTED_PROXIES: [],
      OAUTH_PROVIDERS: [],
    },
    logger,
  };
  apps.http = createHttpApp(appOptions);
  if (createMcpApp) apps.mcp = createMcpApp(appOptions);
  const { BASE_URL: url, MCP_URL: mcpUrl } = appOptions.settings;
  return {
    ...testCore,
    url,
    mcpUrl,
    async close() {
      await Promise.all([http.close(0), mcp?.close(0)]);
      await testCore.close();
    },
  };
}
