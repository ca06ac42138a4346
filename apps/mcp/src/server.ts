import { McpServer } from "@modelcontextprotocol/server";
import about from "../package.json" with { type: "json" };
import type { Caller } from "./caller.ts";
import { instructions } from "./instructions.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { callTool } from "./tools/call.ts";
import { tools } from "./tools/table.ts";
import { asStandardSchema } from "./tools/standard-schema.ts";

/** The lists are the same for every caller and change with a release only, so nobody is told of changes. */
const fixed = { listChanged: false };

/** A server with everything on it, for one caller; connect it to any transport. */
export function createMcpServer(caller: Caller): McpServer {
  const server = new McpServer(
    {
      name: "terse",
      title: "Terse",
      version: about.version,
      description: "Short links with exact click counts",
    },
    { instructions, capabilities: { tools: fixed, resources: fixed, prompts: fixed } },
  );
  for (const [name, tool] of Object.entries(tools)) {
    const { title, description, hints } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        annotations: { title, ...hints },
        inputSchema: asStandardSchema(tool.input, "input"),
        outputSchema: asStandardSchema(tool.output, "output"),
      },
      (args) => callTool(caller, name, tool, args),
    );
  }
  registerResources(server, caller);
  registerPrompts(server);
  return server;
}
