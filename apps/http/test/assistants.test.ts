import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { serverJson } from "../src/assistants/server-json.ts";
import { startApp } from "./client.ts";

const app = await startApp();

describe("what assistants read", () => {
  it.each(["/llms.txt", "/llms-full.txt", "/skill.md", "/server.json"])(
    "%s is public, cacheable, and has the addresses of this service only",
    async (path) => {
      const { status, headers, text } = await app.ask("GET", path);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=3600");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(
        (await app.ask("GET", path, { headers: { "If-None-Match": headers.get("etag") ?? "" } })).status,
      ).toBe(304);
      expect(text).toContain("http://mcp.test/mcp");
      expect(text).not.toMatch(/localhost:300[0-2]|<!--|\]\((?!https?:)/);
    },
  );

  it("every link in /llms.txt leads somewhere", async () => {
    const { text } = await app.ask("GET", "/llms.txt");
    expect(text).toMatch(/^# Terse\n\n> /);
    const links = Array.from(text.matchAll(/\]\(http:\/\/api\.test([^)]+)\)/g), ([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(4);
    for (const path of links) expect([path, (await app.ask("GET", path)).status]).toEqual([path, 200]);
  });

  it("the skill has the front matter that the format asks for", async () => {
    const { text } = await app.ask("GET", "/skill.md");
    const [, matter = ""] = /^---\n([^]*?)\n---\n/.exec(text) ?? [];
    z.strictObject({
      name: z.literal("terse"),
      description: z.string().min(1).max(1024),
      license: z.string(),
      compatibility: z.string().min(1).max(500),
    }).parse(parse(matter));
  });
});

it("the skill names procedures and tools that exist", async () => {
  const { text } = await app.ask("GET", "/skill.md");
  const { text: description } = await app.ask("GET", "/openapi.json");
  const { text: all } = await app.ask("GET", "/llms-full.txt");
  const procedures = Array.from(text.matchAll(/`([a-z]+\.[a-zA-Z]+)[(`]/g), ([, name = ""]) => name);
  expect(procedures.length).toBeGreaterThan(4);
  for (const name of procedures) expect(description).toContain(`"operationId":"${name}"`);
  for (const [, tool = ""] of text.matchAll(/`([a-z]+_[a-z]+)`/g))
    if (!["click_count"].includes(tool)) expect(all).toContain(`| \`${tool}\` |`);
});

describe("server.json", () => {
  /** What the schema of 2025-12-11 asks of an entry without packages. */
  const entry = z.strictObject({
    $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
    name: z
      .string()
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    websiteUrl: z.url(),
    remotes: z.array(z.strictObject({ type: z.literal("streamable-http"), url: z.url() })).min(1),
  });

  it.each([
    ["https://terse.example.com", "com.example.terse/terse"],
    ["http://localhost:3000", "localhost/terse"],
    ["http://[::1]:3000", "localhost/terse"],
    ["http://127.0.0.1:3000", "localhost/terse"],
  ])("of the service at %s is named %s", (BASE_URL, name) => {
    const json = serverJson({ BASE_URL, SHORT_BASE: "https://t.example", MCP_URL: "https://mcp.example/" });
    expect(entry.parse(json)).toMatchObject({ name, remotes: [{ url: "https://mcp.example/mcp" }] });
  });
});
