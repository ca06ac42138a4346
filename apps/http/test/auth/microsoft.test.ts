import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startApp } from "../client.ts";
import { startForger } from "./forger.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

/** Microsoft's issuer for accounts of any tenant has a placeholder, which each token replaces with its tenant. */
const microsoft = "https://login.microsoftonline.com";
const issuerOf = (tenant: string) => `${microsoft}/${tenant}/v2.0`;
const forger = await startForger("microsoft");

// Requests to Microsoft are sent to the forger: the issuer's real address is part of what is tested.
const realFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const path = url.pathname.replace(/^\/common(\/v2\.0)?/, "");
  return realFetch(url.origin === microsoft ? `${forger.issuer}${path}` : input, init);
};
afterAll(() => {
  globalThis.fetch = realFetch;
});

const app = await startApp({ providers: [{ ...forger.settings, issuer: issuerOf("common") }] });
let visitor: Visitor;

beforeEach(async () => {
  await forger.reset();
  visitor = createVisitor(app);
  forger.metadata = {
    issuer: issuerOf("{tenantid}"),
    authorization_endpoint: `${microsoft}/common/authorize`,
    token_endpoint: `${microsoft}/common/token`,
    jwks_uri: `${microsoft}/common/jwks`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
  };
});

async function signIn(tenant: string, sub: string, email: string, more: object = {}) {
  forger.claims = { iss: issuerOf(tenant), tid: tenant, sub, email, ...more };
  const { location } = await visitor.get("/auth/login/microsoft");
  return visitor.get(forger.approve(location as URL));
}

describe("Microsoft's common issuer", () => {
  it("signs in people of any tenant, by the issuer of their token", async () => {
    expect((await signIn("tenant-1", "same-subject", "one@example.com")).status).toBe(302);
    const one = visitor.cookies.get("session") ?? "";
    visitor = createVisitor(app);
    expect((await signIn("tenant-2", "same-subject", "two@example.com")).status).toBe(302);
    const two = visitor.cookies.get("session") ?? "";
    const [first, second] = await Promise.all(
      [one, two].map((cookie) => app.ask("GET", "/v1/me", { cookie })),
    );
    expect(first?.json).toMatchObject({ data: { email: "one@example.com" } });
    expect(second?.json).toMatchObject({ data: { email: "two@example.com" } });
  });

  it("refuses a token whose issuer is not its tenant's", async () => {
    forger.claims = { iss: issuerOf("tenant-1"), tid: "tenant-2", sub: "x", email: "x@example.com" };
    const { location } = await visitor.get("/auth/login/microsoft");
    expect((await visitor.get(forger.approve(location as URL))).status).toBe(403);
  });

  it("gives no account to a tenant that writes its e-mail address into a token (nOAuth)", async () => {
    await app.core.accounts.create({ email: "victim@example.com", plan: "enterprise" });
    const { status, headers } = await signIn("evil-tenant", "evil", "victim@example.com");
    expect([status, headers.getSetCookie()]).toEqual([409, []]);
  });

  it.each([true, "true", 1, "1"])(
    "joins the account if the tenant owns the domain (xms_edov: %j)",
    async (xms_edov) => {
      const email = `known-${JSON.stringify(xms_edov).replaceAll('"', "text")}@example.com`;
      const { id } = await app.core.accounts.create({ email, plan: "pro" });
      expect((await signIn("tenant-3", email, email, { xms_edov })).status).toBe(302);
      const { json } = await app.ask("GET", "/v1/me", { cookie: visitor.cookies.get("session") ?? "" });
      expect(json).toMatchObject({ data: { id } });
    },
  );

  it.each([false, "false", 0, "0", null, "yes"])(
    "does not if it does not (xms_edov: %j)",
    async (xms_edov) => {
      const email = `owned-${JSON.stringify(xms_edov).replaceAll('"', "text")}@example.com`;
      await app.core.accounts.create({ email, plan: "pro" });
      expect((await signIn("tenant-3", email, email, { xms_edov })).status).toBe(409);
    },
  );
});
