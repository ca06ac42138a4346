import manifest from "../../package.json" with { type: "json" };

const { mcpName: name, version } = manifest;

/** The entry of `terse mcp` in the official registry of MCP servers. Each service serves one of its own at `/server.json`. */
export const serverJson = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name,
  title: "Terse",
  description: "Shorten links, manage them and read their statistics on a Terse URL shortener",
  version,
  packages: [
    {
      registryType: "npm",
      identifier: manifest.name,
      version,
      runtimeHint: "npx",
      packageArguments: [{ type: "positional", value: "mcp" }],
      transport: { type: "stdio" },
      environmentVariables: [
        {
          name: "TERSE_URL",
          description: "Address of the Terse service",
          isRequired: true,
          placeholder: "https://terse.example",
        },
        {
          name: "TERSE_KEY",
          description: "API key; without it, sign in once with: npx @terse/cli mcp login",
          isSecret: true,
        },
      ],
    },
  ],
};
