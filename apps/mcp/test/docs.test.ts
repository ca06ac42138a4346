import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const page = await readFile(join(import.meta.dirname, "../../../docs/MCP.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);

it("has configuration that can be pasted: valid JSON with the address and the key's header", () => {
  const configurations = blocks("json");
  expect(configurations.length).toBeGreaterThan(4);
  for (const text of configurations) {
    const configuration = JSON.parse(text) as object;
    expect(configuration).toSatisfy((value: object) =>
      ["mcpServers", "servers", "context_servers"].some((name) => name in value),
    );
    expect(text).toContain('"http://localhost:3002/mcp"');
    expect(text).toMatch(/"Authorization[":]/);
    expect(text).toContain("Bearer ");
  }
});

it("uses the same address in every other snippet", () => {
  for (const text of [...blocks("sh"), ...blocks("toml")])
    if (!text.startsWith("export ")) expect(text).toContain("http://localhost:3002/mcp");
});
