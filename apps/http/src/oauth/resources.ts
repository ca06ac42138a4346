import { type Feature, type Scope, scopes } from "@terse/core";
import { mcpScopes, resourcesOf, type Settings } from "@terse/server";

/** Something that tokens can be for. */
export interface Resource {
  /** Its address, which tokens name as their audience */
  address: string;
  /** How a program acts, on the consent page: "wants to act for your account through the API" */
  title: string;
  /** What can be asked for */
  scopes: readonly Scope[];
  /** The plan's feature without which its tokens do not work */
  feature: Feature;
}

/** The MCP server and the API. A request that names neither is for the first. */
export function createResources(settings: Pick<Settings, "BASE_URL" | "MCP_URL">) {
  const { mcp, api } = resourcesOf(settings);
  const all: readonly [Resource, Resource] = [
    { address: mcp, title: "through the MCP server", scopes: mcpScopes, feature: "mcp" },
    { address: api, title: "through the API", scopes, feature: "api_keys" },
  ];
  // Programs also ask for the MCP server without its path; where the API has that address, it is the API.
  const byAddress = new Map([
    [new URL(mcp).origin, all[0]],
    ...all.map((each) => [each.address, each] as const),
  ]);
  const find = (address: string) => byAddress.get(address.endsWith("/") ? address.slice(0, -1) : address);
  return {
    all,
    find,
    /**
     * Spells the resources in a request as tokens name them, and leaves out scopes that the resource does not have; without
     * any, all that MCP tools need is asked for. Unknown resources are left to the library to refuse.
     */
    normalise(parameters: URLSearchParams, { asks }: { asks: boolean }): URLSearchParams {
      const result = new URLSearchParams(parameters);
      result.delete("resource");
      for (const address of parameters.getAll("resource"))
        result.append("resource", find(address)?.address ?? address);
      const [wanted, ...more] = parameters.getAll("scope");
      if (more.length > 0) return result;
      const known = (find(result.get("resource") ?? mcp)?.scopes ?? scopes).filter((scope) =>
        wanted?.split(" ").includes(scope),
      );
      if (known.length > 0) result.set("scope", known.join(" "));
      else if (asks) result.set("scope", mcpScopes.join(" "));
      else result.delete("scope");
      return result;
    },
  };
}
export type Resources = ReturnType<typeof createResources>;

/** The scopes of a request that a resource has. */
export const scopesIn = (resource: Resource, wanted: unknown): Scope[] => {
  const names = typeof wanted === "string" ? wanted.split(" ") : [];
  return resource.scopes.filter((scope) => names.includes(scope));
};
