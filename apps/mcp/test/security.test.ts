import { describe, expect, it } from "vitest";
import { tools } from "../src/tools/table.ts";
import { bearer, callOf, startApp, textOf } from "./app.ts";
import { seedAccount, sampleOf, type Ids } from "./tool-samples.ts";

const app = await startApp();
const { core } = app;
const names = Object.keys(tools) as (keyof typeof tools)[];
const unknown: Ids = {
  link: "01900000-0000-7000-8000-000000000000",
  spare: "01900000-0000-7000-8000-000000000000",
};

// Credential and plan are looked at before the message is read, so one tool stands for all. Every tool is called by
// every kind of caller in apps/standalone/test/access.test.ts.
describe("the endpoint", () => {
  const [name = ""] = names;

  it.each<[string, () => Promise<Record<string, string>>]>([
    ["no credential", async () => ({})],
    ["an unknown key", async () => bearer("terse_unknown")],
    ["a key of 8,000 characters", async () => bearer("x".repeat(8000))],
    ["a key in another scheme", async () => ({ Authorization: `Basic ${await app.someKey()}` })],
    [
      "a session cookie",
      async () => {
        const { account } = await seedAccount(app);
        return { Cookie: `session=${(await core.sessions.create(account.id)).token}` };
      },
    ],
    [
      "a session token as a key",
      async () => {
        const { account } = await seedAccount(app);
        return bearer((await core.sessions.create(account.id)).token);
      },
    ],
    [
      "a revoked key",
      async () => {
        const { key, keyId } = await seedAccount(app);
        await core.keys.revoke(keyId);
        return bearer(key);
      },
    ],
  ])("refuses %s, whatever the message says", async (_what, credential) => {
    const headers = await credential();
    for (const message of [callOf(name, {}), { ...callOf(name, {}), method: "tools/list" }, "{"]) {
      const response = await app.post(message, headers);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringMatching(/^Bearer realm="terse", /),
      ]);
      expect(await response.json()).toEqual({
        jsonrpc: "2.0",
        error: {
          code: -32000,
          message: expect.stringMatching(
            /^(Authentication required: send|The (API key|access token) is not valid)/,
          ),
          data: { issues: [expect.objectContaining({ code: "unauthenticated" })] },
        },
        id: null,
      });
    }
  });

  it("refuses the key of a suspended account", async () => {
    const { key, account } = await seedAccount(app);
    await core.accounts.suspend(account.id, "phishing");
    const response = await app.post(callOf(name, {}), bearer(key));
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("This account is suspended");
  });
});

describe("a key with scopes", () => {
  it("can use the tools that they allow, by slug too; others name the missing scope", async () => {
    const { account, link } = await seedAccount(app);
    const { key } = await core.keys.issue(account.id, "Writer", { scopes: ["links:write"] });
    const client = await app.connect(key);
    const renamed = { id: link.slug, title: "Renamed" };
    expect((await client.callTool({ name: "update_link", arguments: renamed })).isError ?? false).toBe(false);
    const refused = await client.callTool({ name: "list_links", arguments: {} });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe("This API key needs the scope links:read");
  });
});

describe.each(names.filter((name) => "id" in tools[name].input.shape))("%s", (name) => {
  it("answers for another account's link exactly as for an unknown one, and changes nothing", async () => {
    const victim = await seedAccount(app);
    const client = await app.connect((await seedAccount(app, "enterprise")).key);
    const before = await app.rest(victim.key, "GET", "/v1/links");
    const call = async (ids: Ids) => client.callTool({ name, arguments: sampleOf(name).arguments(ids) });
    const unknownAnswer = await call(unknown);
    expect(unknownAnswer).toMatchObject({ isError: true });
    expect(textOf(unknownAnswer)).toBe("Link not found");
    for (const named of [victim.link.id, victim.link.slug, victim.link.shortUrl]) {
      expect(await call({ link: named, spare: named })).toEqual(unknownAnswer);
    }
    expect(await app.rest(victim.key, "GET", "/v1/links")).toEqual(before);
  });
});

describe.each(["new", "old"] as const)("a conversation with the %s client", (line) => {
  it("ends when its key is revoked", async () => {
    const { key, keyId } = await seedAccount(app);
    const client = await app.connect(key, line);
    expect((await client.callTool({ name: "list_links", arguments: {} })).isError ?? false).toBe(false);
    await core.keys.revoke(keyId);
    await expect(client.callTool({ name: "list_links", arguments: {} })).rejects.toThrow(
      /401|Unauthorized|not valid/i,
    );
    await expect(client.listTools()).rejects.toThrow();
  });

  it("is refused while the plan is too small", async () => {
    const { key, account } = await seedAccount(app);
    const client = await app.connect(key, line);
    await core.accounts.setPlan(account.email, "free");
    await expect(client.callTool({ name: "list_links", arguments: {} })).rejects.toThrow(/Pro plan required/);
    await core.accounts.setPlan(account.email, "enterprise");
    expect((await client.callTool({ name: "list_links", arguments: {} })).isError ?? false).toBe(false);
  });

  it("does not start without a valid key", async () => {
    await expect(app.connect("terse_unknown", line)).rejects.toThrow(/401|Unauthorized|not valid/i);
  });
});
