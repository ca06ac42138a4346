import { describe, expect, it } from "vitest";
import { baseUrl, startApp } from "../client.ts";
import { startOpenIdProvider } from "./openid-provider.ts";
import { createVisitor } from "./visitor.ts";

const redirectUris = [`${baseUrl}/auth/callback/oidc`];

describe.each([
  { clientAuth: "client_secret_basic", claimsInIdToken: true },
  { clientAuth: "client_secret_basic", claimsInIdToken: false },
  { clientAuth: "client_secret_post", claimsInIdToken: false },
] as const)("a real provider ($clientAuth, claims in the ID token: $claimsInIdToken)", async (options) => {
  const provider = await startOpenIdProvider({ redirectUris, ...options });
  const app = await startApp({ providers: [provider] });
  const isOurs = (url: URL) => url.origin === baseUrl;

  async function signIn(who: string, visitor = createVisitor(app)) {
    const question = await visitor.follow("/auth/login/oidc?return_to=/docs");
    expect(question.url.pathname).toMatch(/^\/interaction\//);
    const answer = await visitor.post(question.url, { who });
    const callback = (await visitor.follow(answer.location as URL, isOurs)).location as URL;
    return { visitor, callback, visit: await visitor.get(callback) };
  }
  const me = (visitor: ReturnType<typeof createVisitor>) =>
    app.ask("GET", "/v1/me", { cookie: visitor.cookies.get("session") ?? "" });

  it("signs a person in, and sends `iss` with its answer", async () => {
    const { visitor, callback, visit } = await signIn("ada");
    expect(callback.searchParams.get("iss")).toBe(provider.issuer);
    expect([visit.status, visit.headers.get("location")]).toEqual([302, "/docs"]);
    expect((await me(visitor)).json).toMatchObject({
      data: { email: "ada@example.com", name: "ada of OpenID", plan: "free" },
    });
  });

  it("signs the same person into the same account again", async () => {
    const [one, two] = [await signIn("grace"), await signIn("grace")];
    expect((await me(one.visitor)).json).toEqual((await me(two.visitor)).json);
    expect(one.visitor.cookies.get("session")).not.toBe(two.visitor.cookies.get("session"));
  });
});
