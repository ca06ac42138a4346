import { scopes } from "@terse/core";
import { mcpFullScopes, mcpScopes } from "@terse/server";
import { describe, expect, it } from "vitest";
import { scopesOf } from "../src/step-up.ts";
import { servers } from "../src/servers.ts";
import { bearer, callOf, startApp } from "./app.ts";

const app = await startApp();
const resource = "http://mcp.test/mcp";
const metadata = "http://mcp.test/.well-known/oauth-protected-resource/mcp";

/** A token of a program that was allowed this. */
async function token(scope: string, plan: "free" | "pro" = "pro", audience = resource) {
  const account = await app.account(plan);
  const id = await app.core.oauth.connect({
    account,
    user_id: account.id,
    client_id: "program",
    client_name: "Program",
    client_host: null,
    resource: audience,
    scopes: scopes.filter((each) => scope.includes(each)),
  });
  const value = id.replaceAll("-", "").padEnd(43, "x");
  await app.core.oauth.store.upsert("AccessToken", value, { grantId: id, aud: audience, scope }, 60);
  return value;
}
const ask = async (body: object, key?: string, path?: string) => {
  const response = await app.post(body, key === undefined ? {} : bearer(key), path);
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    text: await response.text(),
  };
};
const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("a program without a valid token", () => {
  it("learns where to sign its user in, and what to ask for", async () => {
    const all = `scope="${mcpScopes.join(" ")}", resource_metadata="${metadata}"`;
    expect(await ask(list)).toMatchObject({ status: 401, challenge: `Bearer realm="terse", ${all}` });
    const invalid = `Bearer realm="terse", error="invalid_token", ${all}`;
    for (const wrong of [
      "x".repeat(43),
      await token("links:read", "pro", "http://api.test"),
      "terse_unknown",
    ])
      expect(await ask(list, wrong)).toMatchObject({ status: 401, challenge: invalid });
    for (const path of [new URL(metadata).pathname, "/.well-known/oauth-protected-resource"]) {
      const response = await fetch(new URL(path, app.url), {
        headers: { Origin: "https://assistant.example" },
      });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: ["http://api.test"],
        scopes_supported: mcpScopes,
        bearer_methods_supported: ["header"],
        resource_name: "Terse",
        resource_documentation: "http://api.test/docs",
      });
    }
  });

  it("on a plan without the MCP server is refused, and has nothing to ask for", async () => {
    expect(await ask(list, await token("links:read", "free"))).toMatchObject({
      status: 403,
      challenge: null,
    });
  });
});

describe("a program whose token lacks a scope", () => {
  it.each([
    ["a tool", callOf("create_link", { url: "https://example.com/" }), "links:write"],
    ["another tool", callOf("get_analytics", {}), "analytics:read"],
    ["a resource", { ...list, method: "resources/read", params: { uri: "analytics://x" } }, "analytics:read"],
  ])("learns to ask for it, beside what it has, before %s is called", async (_, message, lacking) => {
    expect(await ask(message, await token("buckets"))).toMatchObject({
      status: 403,
      challenge: `Bearer realm="terse", error="insufficient_scope", scope="buckets ${lacking}", resource_metadata="${metadata}"`,
      text: expect.stringContaining(`This connection needs the scope ${lacking}`),
    });
  });

  it.each([
    ["a tool that there is not", callOf("toString", {})],
    ["no tool", { ...list, method: "tools/call" }],
    ["a tool that is a number", { ...list, method: "tools/call", params: { name: 7 } }],
    ["the list of tools", list],
  ])("is answered by the protocol when it calls %s", async (_, message) => {
    expect((await ask(message, await token("buckets"))).status).not.toBe(403);
  });
});

it.each(servers)(
  "all tools at $path work with the scopes that programs ask for",
  ({ tools, scopes: asked }) => {
    const needed = Object.values(tools).flatMap(scopesOf);
    expect(new Set(needed)).toEqual(new Set(asked));
  },
);

describe("the server with all tools", () => {
  const full = { path: "/mcp/full", metadata: `${metadata}/full`, resource: `${resource}/full` };

  it("has metadata of its own, where a program learns of it", async () => {
    const response = await fetch(new URL(new URL(full.metadata).pathname, app.url));
    expect(await response.json()).toMatchObject({
      resource: full.resource,
      scopes_supported: mcpFullScopes,
      authorization_servers: ["http://api.test"],
    });
    expect(await ask(list, undefined, full.path)).toMatchObject({
      status: 401,
      challenge: `Bearer realm="terse", scope="${mcpFullScopes.join(" ")}", resource_metadata="${full.metadata}"`,
    });
  });

  it("takes its own tokens only, and the other server takes none of its", async () => {
    const own = await token(mcpFullScopes.join(" "), "pro", full.resource);
    const other = await token(mcpScopes.join(" "));
    expect((await ask(list, own, full.path)).status).toBe(200);
    expect((await ask(list, other, full.path)).status).toBe(401);
    expect((await ask(list, own)).status).toBe(401);
  });

  it("takes keys, and refuses plans below Pro", async () => {
    expect((await ask(list, await app.someKey("pro"), full.path)).status).toBe(200);
    expect((await ask(list, await app.someKey("free"), full.path)).status).toBe(403);
  });

  it("lets a program ask for a scope that only it needs", async () => {
    const key = await token("links:read", "pro", full.resource);
    expect(await ask(callOf("list_domains", {}), key, full.path)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining(`scope="links:read domains", resource_metadata="${full.metadata}"`),
    });
  });
});
