import type { Scope } from "@terse/core";
import type { Settings } from "./settings/read.ts";

type Addresses = Pick<Settings, "BASE_URL" | "MCP_URL">;

/** What access tokens can be for (RFC 8707): one of the MCP servers, or the API. Each token is for one of them. */
export const resourcesOf = ({ BASE_URL, MCP_URL }: Addresses) => ({
  mcp: `${new URL(MCP_URL).origin}/mcp`,
  mcpFull: `${new URL(MCP_URL).origin}/mcp/full`,
  api: new URL(BASE_URL).origin,
});

/** Scopes with which all tools of an MCP server work; a test compares them with the tools. */
export const mcpScopes: readonly Scope[] = ["links:read", "links:write", "analytics:read", "buckets"];
export const mcpFullScopes: readonly Scope[] = [...mcpScopes, "domains", "members"];

const wellKnown = "/.well-known/oauth-protected-resource";

/** Where the metadata of a resource is (RFC 9728 section 3.1): its path follows the well-known one. */
export function metadataPathsOf(resource: string): string[] {
  const { pathname } = new URL(resource);
  return pathname === "/" ? [wellKnown] : [wellKnown + pathname, wellKnown];
}

/** The address of a resource's metadata, for challenges. */
export const metadataUrlOf = (resource: string): string =>
  new URL(metadataPathsOf(resource)[0] ?? wellKnown, resource).href;

/** The metadata of a protected resource (RFC 9728 section 2). */
export const resourceMetadata = (
  { BASE_URL }: Addresses,
  { resource, name, scopes }: { resource: string; name: string; scopes: readonly Scope[] },
) => ({
  resource,
  authorization_servers: [new URL(BASE_URL).origin],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_name: name,
  resource_documentation: `${new URL(BASE_URL).origin}/docs`,
});

/** For answers that programs on pages of any site may read. They never depend on cookies. */
export const anyOrigin = { "Access-Control-Allow-Origin": "*" };
