import { type Feature, type Scope, scopes } from "@terse/core";
import { mcpScopes, resourcesOf, type Settings } from "@terse/server";

/** Something that tokens can be for. */
export interface Resource {
  /** Its address, which tokens name as their audience */
  address: string;
  /** What it is, on the consent page: "to …" */
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
  const without = (address: string) => address.replace(/\/+$/, "");
  const spellings = new Map(all.map((resource) => [resource.address, resource]));
  spellings.set(new URL(mcp).origin, spellings.get(new URL(mcp).origin) ?? all[0]);
  const find = (address: string) => spellings.get(without(address));
  return {
    all,
    find,
    /**
     * Spells the resources in a request as tokens name them, and leaves out scopes that there are not; without any, all that
     * MCP tools need is asked for. What is not known is left to the library to refuse.
     */
    normalise(parameters: URLSearchParams, { asks }: { asks: boolean }): URLSearchParams {
      const result = new URLSearchParams(parameters);
      result.delete("resource");
      for (const address of parameters.getAll("resource"))
        result.append("resource", find(address)?.address ?? address);
      const [wanted, ...more] = parameters.getAll("scope");
      if (more.length > 0) return result;
      const known = scopes.filter((scope) => wanted?.split(" ").includes(scope));
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
