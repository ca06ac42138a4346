import { planNames } from "@terse/core";
import { describe, expect, it } from "vitest";
import { tools } from "../src/tools/table.ts";
import { accessTable } from "./access.ts";
import { bearer, callOf, startApp, textOf } from "./app.ts";
import { resident, sampleOf, type Things } from "./samples.ts";

const app = await startApp();
const { core } = app;
const names = Object.keys(tools) as (keyof typeof tools)[];
const nothing: Things = {
  link: "01900000-0000-7000-8000-000000000000",
  spare: "01900000-0000-7000-8000-000000000000",
};

it("lets in by the plan table, tool by tool", async () => {
  const refused = "401 Authentication required: send Authorization: Bearer <API_KEY>";
  const byPlan = planNames.map((plan) => [
    plan,
    core.plans[plan].features.mcp ? "done" : "403 Pro plan required",
  ]);
  const row = { anonymous: refused, ...Object.fromEntries(byPlan) };
  expect(await accessTable(app)).toEqual(Object.fromEntries(names.map((name) => [name, row])));
  expect(row).toMatchObject({ free: "403 Pro plan required", pro: "done", enterprise: "done" });
});

describe.each(names)("%s", (name) => {
  it.each<[string, () => Promise<Record<string, string>>]>([
    ["no credential", async () => ({})],
    ["an unknown key", async () => bearer("terse_nobody")],
    ["a key of endless length", async () => bearer("x".repeat(8000))],
    ["a key in another scheme", async () => ({ Authorization: `Basic ${await app.someKey()}` })],
    [
      "a session cookie",
      async () => {
        const { account } = await resident(app);
        return { Cookie: `session=${(await core.sessions.create(account.id)).token}` };
      },
    ],
    [
      "a key that was revoked",
      async () => {
        const { key, keyId } = await resident(app);
        await core.keys.revoke(keyId);
        return bearer(key);
      },
    ],
  ])("refuses %s", async (_what, headers) => {
    const response = await app.post(callOf(name, {}), await headers());
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="terse"',
    ]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      error: {
        code: -32000,
        message: expect.stringMatching(/^(Authentication required: send|The API key is not valid)/),
      },
      id: null,
    });
  });

  if ("id" in tools[name].input.shape) {
    it("answers for another account's link exactly as for one that never was, and leaves it alone", async () => {
      const victim = await resident(app);
      const client = await app.connect((await resident(app, "enterprise")).key);
      const before = await app.rest(victim.key, "GET", "/v1/links");
      const call = async (things: Things) =>
        client.callTool({ name, arguments: sampleOf(name).arguments(things) });
      const nobodys = await call(nothing);
      expect(nobodys).toMatchObject({ isError: true });
      expect(textOf(nobodys)).toBe("Link not found");
      for (const named of [victim.link.id, victim.link.slug, victim.link.shortUrl]) {
        expect(await call({ link: named, spare: named })).toEqual(nobodys);
      }
      expect(await app.rest(victim.key, "GET", "/v1/links")).toEqual(before);
    });

    it("takes an id, a slug or a short URL for the same link", async () => {
      for (const field of ["id", "slug", "shortUrl"] as const) {
        const { key, link } = await resident(app);
        const client = await app.connect(key);
        const args = sampleOf(name).arguments({ link: link[field], spare: link[field] });
        const answer = await client.callTool({ name, arguments: args });
        expect(answer.isError ?? false, textOf(answer)).toBe(false);
      }
    });
  }
});

describe.each(["new", "old"] as const)("a conversation with the client of the %s line", (line) => {
  it("ends when its key is revoked", async () => {
    const { key, keyId } = await resident(app);
    const client = await app.connect(key, line);
    expect((await client.callTool({ name: "list_links", arguments: {} })).isError ?? false).toBe(false);
    await core.keys.revoke(keyId);
    await expect(client.callTool({ name: "list_links", arguments: {} })).rejects.toThrow(
      /401|Unauthorized|not valid/i,
    );
    await expect(client.listTools()).rejects.toThrow();
  });

  it("ends when the plan shrinks, and goes on when it grows again", async () => {
    const { key, account } = await resident(app);
    const client = await app.connect(key, line);
    await core.accounts.setPlan(account.email, "free");
    await expect(client.callTool({ name: "list_links", arguments: {} })).rejects.toThrow(/Pro plan required/);
    await core.accounts.setPlan(account.email, "enterprise");
    expect((await client.callTool({ name: "list_links", arguments: {} })).isError ?? false).toBe(false);
  });

  it("does not begin without a key", async () => {
    await expect(app.connect("terse_nobody", line)).rejects.toThrow(/401|Unauthorized|not valid/i);
  });
});
