import { resourcesOf } from "@terse/server";
import manifest from "../../package.json" with { type: "json" };
import type { Addresses } from "./texts.ts";

/**
 * The entry of this service's MCP server for registries: `server.json` in the form of the official one. Its name begins with the
 * host of BASE_URL backwards, because a registry asks the owner of that domain.
 */
export function serverJson(addresses: Addresses) {
  const { origin, hostname } = new URL(addresses.BASE_URL);
  const isName = /^[a-z0-9.-]+$/.test(hostname) && !/^[\d.]+$/.test(hostname);
  const namespace = isName ? hostname.split(".").toReversed().join(".") : "localhost";
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: `${namespace}/terse`,
    title: "Terse",
    description: "Short links, QR codes and link pages, with exact click counts and analytics",
    version: manifest.version,
    websiteUrl: origin,
    remotes: [{ type: "streamable-http", url: resourcesOf(addresses).mcp }],
  };
}
