import type { Actor } from "@terse/core";
import { describe, expect, it } from "vitest";
import { baseUrl, startApp } from "../client.ts";
import { startOpenIdProvider } from "./openid-provider.ts";
import { createVisitor } from "./visitor.ts";

const redirectUris = [`${baseUrl}/auth/callback/oidc`];
const groupRoles = [{ group: "writers", workspace: "acme", role: "editor" }] as const;

/** What a provider says of everyone, changed during the tests. */
const claims: Record<string, unknown> = {};

describe.each([
  { where: "the ID token", claimsInIdToken: true },
  { where: "userinfo", claimsInIdToken: false },
])("groups in $where", async ({ claimsInIdToken }) => {
  const provider = await startOpenIdProvider({ redirectUris, claimsInIdToken, claims });
  const nested = { ...provider, groupsClaim: "realm_access.roles" };
  const app = await startApp({ providers: [provider], groupRoles, defaultPlan: "enterprise" });
  const keycloak = await startApp({ providers: [nested], groupRoles, defaultPlan: "enterprise" });

  async function rolesOf(service: typeof app, who: string, said: Record<string, unknown>) {
    for (const name of Object.keys(claims)) delete claims[name];
    Object.assign(claims, said);
    const visitor = createVisitor(service);
    const question = await visitor.follow("/auth/login/oidc");
    const answer = await visitor.post(question.url, { who });
    await visitor.follow(answer.location as URL, (url) => url.pathname === "/");
    const actor = await service.core.credentials.bySession(visitor.cookies.get("session") ?? "");
    const listed = await service.core.caller(actor as Actor).workspaces.list();
    return listed.filter(({ personal }) => !personal).map(({ slug, role }) => [slug, role]);
  }

  async function workspaceIn(service: typeof app) {
    await service.core
      .caller(await service.actor("enterprise"))
      .workspaces.create({ name: "Acme", slug: "acme" });
  }

  it("give roles, in each form that providers send", async () => {
    await workspaceIn(app);
    for (const groups of [
      ["writers"],
      "others, writers",
      ["/writers"],
      { writers: {} },
      [{ name: "writers" }],
    ]) {
      expect(await rolesOf(app, "ada", { groups })).toEqual([["acme", "editor"]]);
      expect(await rolesOf(app, "ada", {})).toEqual([]);
    }
    expect(await rolesOf(app, "ada", { realm_access: { roles: ["writers"] } })).toEqual([]);
  });

  it("are found by a path (Keycloak)", async () => {
    await workspaceIn(keycloak);
    expect(await rolesOf(keycloak, "bob", { realm_access: { roles: ["writers"] } })).toEqual([
      ["acme", "editor"],
    ]);
    expect(await rolesOf(keycloak, "bob", { groups: ["writers"] })).toEqual([]);
  });
});
