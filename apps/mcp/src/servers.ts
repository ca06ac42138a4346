import { mcpFullScopes, mcpScopes, resourcesOf, type Settings } from "@terse/server";
import type { Scope } from "@terse/core";
import { moreTools } from "./tools/more.ts";
import { tools } from "./tools/table.ts";
import type { Tool } from "./tools/tool.ts";

/** One of the MCP servers of this host: the tools it lists, and the scopes its tokens can have. */
export interface Server {
  path: "/mcp" | "/mcp/full";
  /** For people, in the metadata of the resource */
  name: string;
  tools: Readonly<Record<string, Tool>>;
  scopes: readonly Scope[];
}

/** The specification's ten tools, which fit any assistant's context; and all tools, for those who manage links with it. */
export const servers: readonly [Server, Server] = [
  { path: "/mcp", name: "Terse", tools, scopes: mcpScopes },
  { path: "/mcp/full", name: "Terse, all tools", tools: { ...tools, ...moreTools }, scopes: mcpFullScopes },
];

/** The address of a server, which its tokens name as their audience. */
export const resourceOf = ({ path }: Server, settings: Pick<Settings, "MCP_URL" | "BASE_URL">): string =>
  path === "/mcp" ? resourcesOf(settings).mcp : resourcesOf(settings).mcpFull;
