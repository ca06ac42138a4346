/** What an assistant needs to be told: where the MCP server is, and a key unless its user signs in. */
export interface Connection {
  address: string;
  key?: string | undefined;
}

/** What its user puts where. */
export interface Configuration {
  /** Name of the file; null for a command to run */
  file: string | null;
  language: "sh" | "json" | "toml";
  text: string;
  /** A command to run afterwards; in Codex and Gemini CLI it signs in */
  afterwards?: string;
  /** An address that opens the assistant and adds the server; never one with a key in it, because browsers remember it */
  link?: string;
}

export interface Assistant {
  name: string;
  configure(connection: Connection): Configuration;
}

const json = (file: string, value: object): Configuration => ({
  file,
  language: "json",
  text: JSON.stringify(value, null, 2),
});
const headersOf = (key: string | undefined) =>
  key !== undefined && { headers: { Authorization: `Bearer ${key}` } };

/** Assistants that speak MCP, and how each is connected. */
export const assistants: readonly Assistant[] = [
  {
    name: "Claude Code",
    configure: ({ address, key }) => ({
      file: null,
      language: "sh",
      text: `claude mcp add --transport http terse ${address}${key === undefined ? "" : ` --header "Authorization: Bearer ${key}"`}`,
    }),
  },
  {
    name: "Claude Desktop",
    // It starts local programs, so a small one forwards the messages.
    configure: ({ address, key }) =>
      json("claude_desktop_config.json", {
        mcpServers: {
          terse: {
            command: "npx",
            // A space in an argument is lost on Windows; so the header's value comes from the environment.
            args: [
              "-y",
              "mcp-remote",
              address,
              ...(key === undefined ? [] : ["--header", "Authorization:${TERSE_AUTH}"]),
            ],
            ...(key !== undefined && { env: { TERSE_AUTH: `Bearer ${key}` } }),
          },
        },
      }),
  },
  {
    name: "Cursor",
    configure: ({ address, key }) => ({
      ...json("~/.cursor/mcp.json", { mcpServers: { terse: { url: address, ...headersOf(key) } } }),
      ...(key === undefined && {
        link: `cursor://anysphere.cursor-deeplink/mcp/install?name=terse&config=${encodeURIComponent(btoa(JSON.stringify({ url: address })))}`,
      }),
    }),
  },
  {
    name: "VS Code",
    // It asks for the key once and stores it, so that the file has none.
    configure: ({ address, key }) =>
      key === undefined
        ? {
            ...json(".vscode/mcp.json", { servers: { terse: { type: "http", url: address } } }),
            link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "terse", type: "http", url: address }))}`,
          }
        : json(".vscode/mcp.json", {
            inputs: [{ type: "promptString", id: "terse-key", description: "Terse API key", password: true }],
            servers: {
              terse: { type: "http", url: address, headers: { Authorization: "Bearer ${input:terse-key}" } },
            },
          }),
  },
  {
    name: "Windsurf",
    configure: ({ address, key }) =>
      json("~/.codeium/windsurf/mcp_config.json", {
        mcpServers: { terse: { serverUrl: address, ...headersOf(key) } },
      }),
  },
  {
    name: "Zed",
    configure: ({ address, key }) =>
      json("~/.config/zed/settings.json", {
        context_servers: { terse: { url: address, ...headersOf(key) } },
      }),
  },
  {
    name: "Codex",
    // It reads the key from the environment only.
    configure: ({ address, key }) => ({
      file: "~/.codex/config.toml",
      language: "toml",
      text: `[mcp_servers.terse]\nurl = ${JSON.stringify(address)}${key === undefined ? "" : '\nbearer_token_env_var = "TERSE_KEY"'}`,
      afterwards: key === undefined ? "codex mcp login terse" : `export TERSE_KEY=${key}`,
    }),
  },
  {
    name: "Gemini CLI",
    configure: ({ address, key }) => ({
      ...json("~/.gemini/settings.json", { mcpServers: { terse: { httpUrl: address, ...headersOf(key) } } }),
      ...(key === undefined && { afterwards: "gemini -i '/mcp auth terse'" }),
    }),
  },
];
