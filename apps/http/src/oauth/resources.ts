import { AppError, type Feature, hasLongHost, type Scope, scopes } from "@terse/core";
import { mcpFullScopes, mcpScopes, resourcesOf, type Settings } from "@terse/server";

/** Something that tokens can be for. */
export interface Resource {
  /** Its address, which tokens name as their audience */
  address: string;
  /** How a program acts, on the consent page: "wants to act for your account through the API" */
  way: "api" | "mcp" | "mcpFull";
  /** Scopes that can be requested */
  scopes: readonly Scope[];
  /** The scopes of a request without any */
  usual: readonly Scope[];
  /** The plan's feature without which its tokens do not work */
  feature: Feature;
}

/** The MCP servers and the API. A request that names none of them is for the first. */
export function createResources(settings: Pick<Settings, "BASE_URL" | "MCP_URL">) {
  const addresses = resourcesOf(settings);
  const { mcp } = addresses;
  const api: Resource = {
    address: addresses.api,
    way: "api",
    scopes,
    usual: mcpScopes,
    feature: "api_keys",
  };
  const all: readonly [Resource, ...Resource[]] = [
    {
      address: mcp,
      way: "mcp",
      scopes: mcpScopes,
      usual: mcpScopes,
      feature: "mcp",
    },
    {
      address: addresses.mcpFull,
      way: "mcpFull",
      scopes: mcpFullScopes,
      usual: mcpFullScopes,
      feature: "mcp",
    },
    api,
  ];
  // Programs also ask for the MCP server without its path; where the API has that address, it is the API.
  const byAddress = new Map([
    [new URL(mcp).origin, all[0]],
    ...all.map((each) => [each.address, each] as const),
  ]);
  const find = (address: string) => byAddress.get(address.endsWith("/") ? address.slice(0, -1) : address);
  return {
    all,
    api,
    find,
    /**
     * Spells the resources in a request as tokens name them, and leaves out scopes that the resource does not have; without
     * any, the resource's usual scopes are requested. Unknown resources are left to the library to refuse; long hosts are
     * not, because it parses them.
     */
    normalise(parameters: URLSearchParams, { asks }: { asks: boolean }): URLSearchParams {
      for (const name of ["client_id", "redirect_uri", "resource"])
        if (parameters.getAll(name).some(hasLongHost))
          throw new AppError("BAD_REQUEST", `${name}: must have a host name of at most 253 characters`);
      const result = new URLSearchParams(parameters);
      result.delete("resource");
      for (const address of parameters.getAll("resource"))
        result.append("resource", find(address)?.address ?? address);
      const [wanted, ...more] = parameters.getAll("scope");
      if (more.length > 0) return result;
      const asked = find(result.get("resource") ?? mcp);
      const known = (asked?.scopes ?? scopes).filter((scope) => wanted?.split(" ").includes(scope));
      if (known.length > 0) result.set("scope", known.join(" "));
      else if (asks) result.set("scope", (asked?.usual ?? mcpScopes).join(" "));
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
