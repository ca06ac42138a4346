export { createMcpApp, type McpAppOptions, serveMcp } from "./app.ts";
export { toolsTable } from "./markdown.ts";
export { createMcpServer } from "./server.ts";
