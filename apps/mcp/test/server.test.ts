import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OldInMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createTestCore } from "@terse/core/testing";
import { createLogger } from "@terse/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMcpServer } from "../src/index.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

const logger = createLogger({ level: "silent" });
const someone = await actor("pro");
const caller = core.caller(someone);

/** A client and a server in this process, connected directly */
async function connect(line: "new" | "old", as = someone): Promise<Client> {
  const server = createMcpServer({ core, actor: as, logger });
  const info = { name: "test", version: "1.0.0" };
  const isOld = line === "old";
  const [here, there] = (isOld ? OldInMemoryTransport : InMemoryTransport).createLinkedPair();
  await server.connect(there);
  const client = isOld ? (new OldClient(info) as unknown as Client) : new Client(info);
  await client.connect(here);
  return client;
}

describe.each(["new", "old"] as const)("in process, to the %s client,", (line) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(line);
  });
  afterAll(() => client.close());

  it("the server introduces itself with instructions", () => {
    expect(client.getServerVersion()).toMatchObject({
      name: "terse",
      title: "Terse",
      version: expect.any(String),
    });
    expect(client.getInstructions()).toContain("id, its slug or its short URL");
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    });
  });

  it("tools answer", async () => {
    const { id } = await caller.links.create({ url: "https://example.com/" });
    const answer = await client.callTool({ name: "get_link", arguments: { id } });
    expect(answer.structuredContent).toEqual(await caller.links.get({ id }));
  });

  it("links are resources, by id and by slug, whatever letters it has", async () => {
    const link = await caller.links.create({
      url: "https://example.com/",
      slug: `Grüße-${line}`,
      title: "Hallo",
    });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toContainEqual(
      expect.objectContaining({ name: "link", uriTemplate: "link://{id}", mimeType: "application/json" }),
    );
    for (const name of [link.id, link.slug, encodeURIComponent(link.slug)]) {
      const { contents } = await client.readResource({ uri: `link://${name}` });
      expect(contents).toHaveLength(1);
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(link);
    }
    const { resources } = await client.listResources();
    expect(resources.find(({ uri }) => uri.startsWith("link:"))).toMatchObject({
      uri: `link://${link.id}`,
      name: link.slug,
      title: "Hallo",
      description: "https://example.com/",
    });
  });

  it("an unknown resource, or another account's, is not found", async () => {
    const { id } = await core.caller(await actor("pro")).links.create({ url: "https://example.com/" });
    for (const uri of [`link://${id}`, "link://nothing", "link://%", "mailto:x"]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringMatching(/not found/i),
      });
    }
  });

  it("slugs are completed", async () => {
    await caller.links.create({ url: "https://example.com/", slug: `launch-${line}` });
    const ref = { type: "ref/resource" as const, uri: "link://{id}" };
    const { completion } = await client.complete({ ref, argument: { name: "id", value: `unch-${line}` } });
    expect(completion.values).toEqual([`launch-${line}`]);
    const odd = { name: "id", value: "\0" };
    await expect(client.complete({ ref, argument: odd })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("control characters"),
    });
    for (const name of ["nothing", "__proto__", "constructor", "toString"]) {
      const { completion: none } = await client.complete({ ref, argument: { name, value: "a" } });
      expect(none.values).toEqual([]);
    }
  });

  it("prompts say which tools to use", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: args = [] }) => [name, args.map((arg) => arg.name)])).toEqual([
      ["campaign_report", ["campaign", "period"]],
      ["link_audit", ["search"]],
    ]);
    const report = await client.getPrompt({
      name: "campaign_report",
      arguments: { campaign: 'spring"', period: "7d" },
    });
    expect(JSON.stringify(report)).toMatch(/get_analytics.*7d/);
    const audit = await client.getPrompt({ name: "link_audit" });
    expect(JSON.stringify(audit)).toContain("all of my links");
    for (const [name, args] of [
      ["campaign_report", {}],
      ["campaign_report", { campaign: "x", period: "2d" }],
      ["nothing", {}],
    ] as const) {
      await expect(client.getPrompt({ name, arguments: args })).rejects.toMatchObject({ code: -32602 });
    }
  });
});
