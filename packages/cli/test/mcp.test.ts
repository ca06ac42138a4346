import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpApp } from "@terse/mcp-server";
import { compileCache } from "@terse/testkit";
import { browserMissing } from "@terse/testkit/chromium";
import { afterAll, expect, it } from "vitest";
import { startService } from "../../client/test/service.ts";
import { person } from "./person.ts";
import { buildProgram, start } from "./program.ts";
import manifest from "../package.json" with { type: "json" };

/** The published program between the official client, which starts it, and the real service. */

const service = await startService({}, createMcpApp);
const home = mkdtempSync(join(tmpdir(), "terse-bridge-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const folder = buildProgram(join(home, "dist"));
const env = { XDG_CONFIG_HOME: home, TERSE_URL: service.url };

async function connected(mode: "auto" | "legacy", more: Record<string, string>) {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, "terse.js"), "mcp"],
    env: { NODE_COMPILE_CACHE: compileCache, ...env, ...more },
  });
  await client.connect(transport);
  return client;
}

it.each(["auto", "legacy"] as const)("passes on what a client asks, in %s revisions", async (mode) => {
  const { key } = await service.key("pro");
  const client = await connected(mode, { TERSE_KEY: key });
  expect((await client.listTools()).tools).toHaveLength(10);
  const url = `https://example.com/${mode}`;
  const [created, refused] = await Promise.all([
    client.callTool({ name: "create_link", arguments: { url } }),
    client.callTool({ name: "get_link", arguments: { id: "nowhere" } }),
  ]);
  expect(created.structuredContent).toMatchObject({ destination: url });
  expect(refused).toMatchObject({ isError: true });
  await client.close();
});

it("answers a request with the service's sentence if it is refused", async () => {
  const { key } = await service.key("free");
  await expect(connected("legacy", { TERSE_KEY: key })).rejects.toThrow(/Pro plan/);
  await expect(connected("legacy", { TERSE_KEY: "terse_wrong" })).rejects.toThrow(/terse mcp login/);
});

it("uses the key that `terse login` stored, and says how to sign in without one", async () => {
  const missing = await start(folder, ["mcp"], env).ended;
  expect(missing).toMatchObject({
    status: 3,
    stdout: "",
    stderr: expect.stringMatching(/^terse: Not signed in to .*\/mcp; run: terse mcp login --url http/),
  });
  const { key } = await service.key("pro");
  const stored = { XDG_CONFIG_HOME: join(home, "stored") };
  mkdirSync(join(home, "stored/terse"), { recursive: true });
  writeFileSync(join(home, "stored/terse/config.json"), JSON.stringify({ keys: { [service.url]: key } }));
  const client = await connected("auto", stored);
  expect((await client.listTools()).tools).toHaveLength(10);
  await client.close();
});

const missing = browserMissing();

it.skipIf(missing)(
  `signs in with the browser, and out again${missing ? ` (left out: ${missing})` : ""}`,
  {
    tags: ["long"],
  },
  async () => {
    const own = { XDG_CONFIG_HOME: join(home, "own") };
    const bridge = (command: string) => start(folder, ["mcp", command], { ...env, ...own });
    const login = bridge("login");
    const { answer, close } = await person(service, "pro");
    await answer(login, "Allow");
    await close();
    expect(await login.ended).toMatchObject({ status: 0, stdout: expect.stringContaining("Signed in to") });
    const client = await connected("auto", own);
    expect((await client.listTools()).tools).toHaveLength(10);
    expect((await bridge("logout").ended).status).toBe(0);
    await expect(client.listTools({ cursor: "again" })).rejects.toThrow(/Not signed in.*terse mcp login/);
    await client.close();
  },
);

it("names what is wrong with how it was called", async () => {
  const ended = (...args: string[]) => start(folder, ["mcp", ...args], env).ended;
  expect(await ended("--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Usage: terse mcp [OPTIONS]"),
  });
  expect((await ended("dance")).status).toBe(2);
  expect((await ended("--url", "ftp://x")).stderr).toContain("is not the address of a service");
});

it("comes with the registry's entry for this version", () => {
  const entry = JSON.parse(readFileSync(join(folder, "server.json"), "utf8"));
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  const { version } = manifest;
  expect(entry).toMatchObject({
    name: manifest.mcpName,
    version,
    packages: [{ identifier: manifest.name, version }],
  });
});
