import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { until } from "@terse/testkit";
import { browserMissing } from "@terse/testkit/chromium";
import { nextPort } from "@terse/testkit/ports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SignInService, startSignIn } from "../../apps/mcp/test/person.ts";

/** Programs that others publish sign in as their users see it: with a real browser, from the address of the MCP server. */

const modules = join(import.meta.dirname, "../../apps/mcp/node_modules");
const programs = {
  conformance: join(modules, "@modelcontextprotocol/conformance/dist/index.js"),
  remote: join(modules, "mcp-remote/dist/proxy.js"),
};
const missing = browserMissing();

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

describe.skipIf(missing)(`a program${missing ? ` (left out: ${missing})` : ""}`, () => {
  let service: SignInService;
  let folder: string;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    service = await startSignIn();
    folder = await mkdtemp(join(tmpdir(), "terse-programs-"));
  });
  afterAll(async () => {
    for (const child of running) child.kill();
    await service.close();
    await rm(folder, { recursive: true });
  });
  /** Starts a program with nothing in its environment but this; what it says is in an object that grows. */
  const start = (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, args, { env });
    running.push(child);
    const said = { text: "" };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said.text += text));
    return { child, said };
  };
  const addressIn = (text: string) => /^http\S+\/oauth\/authorize\S+$/m.exec(text)?.[0];

  it("mcp-remote signs in for the assistant that started it", async () => {
    const { allowAt } = await service.person();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programs.remote, service.endpoint.href, nextPort()],
      env: { MCP_REMOTE_CONFIG_DIR: folder },
      stderr: "pipe",
    });
    const said = { text: "" };
    transport.stderr?.on("data", (text: Buffer) => (said.text += text.toString()));
    const client = new Client({ name: "test", version: "1.0.0" });
    const connected = client.connect(transport);
    await until(() => addressIn(said.text) !== undefined);
    await allowAt(addressIn(said.text) ?? "");
    await connected;
    expect((await client.listTools()).tools).toHaveLength(10);
    const url = "https://example.com/";
    const created = await client.callTool({ name: "create_link", arguments: { url } });
    expect(created.structuredContent).toMatchObject({ destination: url });
    await client.close();
  });

  it("of the official conformance suite passes all its scenarios of authorization", async () => {
    const port = nextPort();
    const registered = await fetch(`${service.url}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        client_name: "Assistant",
      }),
    });
    const results = join(folder, "conformance");
    const { client_id } = (await registered.json()) as { client_id: string };
    const which = [
      "--url",
      service.url,
      "--client-id",
      client_id,
      "--resource",
      service.endpoint.href,
      "--port",
      port,
    ];
    const { child: suite, said } = start([programs.conformance, "authorization", ...which, "-o", results]);
    const { allowAt } = await service.person();
    await until(() => addressIn(said.text) !== undefined);
    await allowAt(addressIn(said.text) ?? "");
    await once(suite, "close");
    const files = await readdir(results, { recursive: true });
    const checks = await Promise.all(
      files
        .filter((name) => name.endsWith("checks.json"))
        .map(async (name) => JSON.parse(await readFile(join(results, name), "utf8")) as Check[]),
    );
    const found = checks.flat().map(({ id, status, errorMessage }) => [id, status, errorMessage]);
    expect(found, said.text).toEqual(
      expect.arrayContaining([
        ["authorization-server-metadata", "SUCCESS", undefined],
        ["authorization-code-grant", "SUCCESS", undefined],
      ]),
    );
    expect(found.filter(([, status]) => status !== "SUCCESS")).toEqual([]);
  });
});
