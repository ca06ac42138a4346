import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { until } from "@terse/testkit";
import { browserMissing } from "@terse/testkit/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyClient } from "./app.ts";
import { type SignInService, startSignIn } from "./person.ts";

/** The clients of the official SDK sign in as assistants do: from the address of the MCP server alone, with a browser. */

const missing = browserMissing();

/** Where programs wait for their user's browser */
const callbackServer = createServer((_, response) => void response.end("You can close this page."));
await new Promise<void>((resolve) => callbackServer.listen(0, "127.0.0.1", resolve));
const callback = `http://127.0.0.1:${(callbackServer.address() as AddressInfo).port}/callback`;

afterAll(() => {
  callbackServer.closeAllConnections();
  callbackServer.close();
});

/** What a program keeps of its sign-in, as both versions of the SDK ask for it */
class Memory {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: "Assistant", redirect_uris: [callback] };
  readonly saved: Record<string, unknown> = {};
  asked: URL | undefined;
  state = () => "state-of-the-program";
  clientInformation = () => this.saved["client"] as never;
  saveClientInformation = (value: unknown) => void (this.saved["client"] = value);
  tokens = () => this.saved["tokens"] as { access_token: string; scope?: string } as never;
  saveTokens = (value: unknown) => void (this.saved["tokens"] = value);
  codeVerifier = () => this.saved["verifier"] as string;
  saveCodeVerifier = (value: string) => void (this.saved["verifier"] = value);
  discoveryState = () => this.saved["discovery"] as never;
  saveDiscoveryState = (value: unknown) => void (this.saved["discovery"] = value);
  redirectToAuthorization = (to: URL) => void (this.asked = to);
}

/** Follows the program's request, allows it, and returns what the program's address gets. */
async function allow(page: Page, memory: Memory, without: readonly string[] = []): Promise<URLSearchParams> {
  await page.goto(memory.asked?.href ?? "");
  await page.getByText("Assistant").first().waitFor();
  for (const scope of without) await page.getByLabel(scope).uncheck();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${callback}**`);
  return new URL(page.url()).searchParams;
}

interface Line {
  name: string;
  /** Whether it asks for more; the older one renews its token instead, which gives it no more */
  stepsUp: boolean;
  connect(
    url: URL,
    memory: Memory,
  ): {
    client: AnyClient;
    begin(): Promise<void>;
    finish(got: URLSearchParams): Promise<void>;
  };
}
const about = { name: "test", version: "1.0.0" };
const lines: Line[] = [
  {
    name: "the current SDK",
    stepsUp: true,
    connect(url, memory) {
      const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
      const client = new Client(about, { versionNegotiation: { mode: "auto" } });
      return {
        client: client as unknown as AnyClient,
        begin: () => client.connect(transport),
        finish: (got) => transport.finishAuth(got),
      };
    },
  },
  {
    name: "the SDK before it",
    stepsUp: false,
    connect(url, memory) {
      const transport = new OldTransport(url, { authProvider: memory });
      const client = new OldClient(about);
      return {
        client: client as unknown as AnyClient,
        begin: () => client.connect(transport),
        finish: (got) => transport.finishAuth(got.get("code") ?? ""),
      };
    },
  },
];

describe.skipIf(missing)(
  `signing in from the address of the MCP server${missing ? ` (left out: ${missing})` : ""}`,
  () => {
    let service: SignInService;
    beforeAll(async () => {
      service = await startSignIn();
    });
    afterAll(() => service.close());
    const [current, ...older] = lines;
    it.each([current as Line])("works with $name", signIn);
    it.each(older)("works with $name", { tags: ["long"] }, signIn);

    it("acts in the workspace that its user chose, and no more than their role there allows now", async () => {
      const { full, core } = service;
      const owner = await service.person();
      const { account, page } = await service.person();
      const ofOwner = core.caller(
        (await core.credentials.bySession(owner.token)) ?? expect.fail("no session"),
      );
      const { id, slug } = await ofOwner.workspaces.create({ name: "Acme" });
      await core.workspaces.setPlan(id, "pro");
      const inside = core.caller(
        (await core.credentials.bySession(owner.token, { workspace: id })) ?? expect.fail("no session"),
      );
      const { url } = await inside.invitations.create({ role: "admin" });
      await page.goto(new URL(new URL(url).pathname, service.url).href);
      await page.getByRole("button", { name: "Join" }).click();
      await until(async () => (await inside.members.list()).length === 2);

      const memory = new Memory();
      const [{ connect }] = lines as [Line];
      const first = connect(full, memory);
      await expect(first.begin()).rejects.toThrow();
      await page.goto(memory.asked?.href ?? "");
      await page.getByLabel("Workspace").selectOption("Acme");
      await page.getByLabel("members").check();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${callback}**`);
      await first.finish(new URL(page.url()).searchParams);
      const { client, begin } = connect(full, memory);
      await begin();
      expect(client.getInstructions()).toContain(`in the workspace ${slug}, with the role admin`);
      const members = await client.callTool({ name: "list_members", arguments: {} });
      expect(members.structuredContent).toMatchObject({ members: [{ role: "owner" }, { role: "admin" }] });
      const invite = { name: "invite_member", arguments: { role: "editor" } };
      expect((await client.callTool(invite)).isError).not.toBe(true);

      await inside.members.update({ user_id: account.id, role: "viewer" });
      const refused = await client.callTool(invite);
      expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
        true,
        expect.stringContaining("Your role in this workspace is viewer: this needs the role admin"),
      ]);
      expect((await client.callTool({ name: "list_members", arguments: {} })).isError).not.toBe(true);
      await inside.members.remove({ user_id: account.id });
      await expect(client.callTool({ name: "list_members", arguments: {} })).rejects.toThrow();
      await client.close();
    });

    async function signIn({ connect, stepsUp }: Line): Promise<void> {
      const { endpoint: url, core } = service;
      const { account, page } = await service.person();
      const memory = new Memory();
      const first = connect(url, memory);
      await expect(first.begin()).rejects.toThrow();
      expect(memory.asked?.origin).toBe(service.url);
      await first.finish(await allow(page, memory, ["Create, change and delete links"]));
      const { client, begin, finish } = connect(url, memory);
      await begin();
      expect((await client.listTools()).tools).toHaveLength(10);
      const listed = await client.callTool({ name: "list_links", arguments: {} });
      expect(listed.structuredContent).toMatchObject({ links: [], total: 0 });

      memory.asked = undefined;
      const create = { name: "create_link", arguments: { url: "https://example.com/" } };
      await expect(client.callTool(create)).rejects.toThrow();
      if (stepsUp) {
        const asked = (memory.asked as URL | undefined)?.searchParams.get("scope");
        expect(asked?.split(" ")).toEqual(expect.arrayContaining(["links:read", "links:write"]));
        await finish(await allow(page, memory));
        expect((await client.callTool(create)).isError).not.toBe(true);
      }
      await client.close();

      const caller = core.caller({ kind: "account", account, credential: "internal" });
      const [newest] = await caller.connections.list();
      expect(newest).toMatchObject({ client_name: "Assistant", client_host: null, resource: url.href });
    }
  },
);
