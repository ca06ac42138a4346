export { createMcpApp, type McpAppOptions } from "./app.ts";
export { toolsTable } from "./markdown.ts";
export { serveMcp } from "./serve.ts";
export { createMcpServer } from "./server.ts";
