import { listen, type Listener, type Settings } from "@terse/server";
import { createMcpApp, type McpAppOptions } from "./app.ts";

/**
 * Opens the MCP host in this process.
 * @throws {ListenError} where the port cannot be had
 */
export function serveMcp(options: McpAppOptions & { settings: Settings }): Promise<Listener> {
  const { settings, logger } = options;
  return listen({
    name: "mcp",
    app: createMcpApp(options),
    host: settings.HOST,
    port: settings.MCP_PORT,
    portSetting: "MCP_PORT",
    logger,
  });
}
