import { McpServer } from "@modelcontextprotocol/server";
import about from "../package.json" with { type: "json" };
import type { Caller } from "./caller.ts";
import { cardOf, registerCards } from "./cards/cards.ts";
import { type Server, servers } from "./servers.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { callTool } from "./tools/call.ts";
import { listedSchemas } from "./tools/listed-schema.ts";

/** Sent to assistants when they connect, before any tool is listed. */
const instructions = `Terse creates short links and counts their clicks. Everything belongs to one workspace.

- Tools about a link take its id, its slug or its short URL as \`id\`. Use whichever you have. Tags, domains and buckets can be named, too; jobs only have ids.
- Leave out what should stay as it is; null does the same. Only clear removes fields, such as a password.
- To find a link, call list_links with \`search\`: part of its slug, title or destination.
- Before you call delete_link, or change a destination with update_link, tell the user which link it is: its short URL may already be in print.
- Answers have the most useful fields and rows; \`fields\` selects others. Ask for what you need, and no more.
- Clicks are visits by people. Crawlers, link previews and tools are counted separately, as bots. Times are ISO 8601 in UTC.
- Errors name the argument and the fix: correct that argument and call again.`;

/** Says which workspace the caller acts in, by its slug, as a name could be anything; and what its role allows. */
function workspaceOf({ actor }: Caller): string {
  if (actor.kind !== "account") return "";
  const { account, user, slug, role } = actor;
  const named = slug ?? (user?.id === account.id ? "personal" : account.id);
  return `\n- This connection acts in the workspace ${named}${role ? `, with the role ${role}` : ""}.`;
}

/** The lists are the same for every caller and only change with a release, so no change notifications are sent. */
const fixed = { listChanged: false };

/** Creates a server with all tools, resources and prompts for one caller; connect it to any transport. */
export function createMcpServer(caller: Caller, of: Server = servers[0]): McpServer {
  const { name, tools } = of;
  const server = new McpServer(
    {
      name: "terse",
      title: name,
      version: about.version,
      description: "Short links with exact click counts",
    },
    {
      instructions: instructions + workspaceOf(caller),
      capabilities: { tools: fixed, resources: fixed, prompts: fixed },
    },
  );
  for (const [called, tool] of Object.entries(tools)) {
    const { title, description, hints } = tool;
    const { input, output } = listedSchemas(tool);
    server.registerTool(
      called,
      {
        title,
        description,
        annotations: { title, ...hints },
        ...cardOf(called),
        inputSchema: input,
        outputSchema: output,
      },
      (args) => callTool(caller, called, tool, args),
    );
  }
  registerResources(server, caller);
  registerCards(server, of);
  registerPrompts(server);
  return server;
}
