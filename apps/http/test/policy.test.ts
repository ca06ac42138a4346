import { describe, expect, it } from "vitest";
import { startForger } from "./auth/forger.ts";
import { createVisitor } from "./auth/visitor.ts";
import { errorOf, startApp } from "./client.ts";
import { expectRefusal } from "./expect-refusal.ts";
import { seedAccount } from "./seeded-account.ts";

const forger = await startForger();
const app = await startApp({
  providers: [forger.settings],
  anonymousLinks: false,
  signUp: ["invited@example.com"],
  abuseContact: "mailto:abuse@example.com",
});
const open = await startApp();

describe("without anonymous links", () => {
  it("a link needs a credential, like every other operation", async () => {
    const json = { url: "https://example.com/" };
    const answer = await app.ask("POST", "/v1/links", { json });
    expectRefusal(answer, 401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="terse"');
    expect(errorOf(answer)).toBe("Authentication required: send Authorization: Bearer <API_KEY>, or sign in");
    expect((await app.ask("POST", "/v1/links", { body: "{" })).status).toBe(401);
    expect((await app.askTrpc("links.create", json)).status).toBe(401);
    const { key } = await app.key("free");
    expect((await app.ask("POST", "/v1/links", { key, json })).status).toBe(201);
  });
});

describe("a sign-up that is not open", () => {
  async function signIn(claims: object) {
    const visitor = createVisitor(app);
    forger.claims = { sub: "somebody", email_verified: true, ...claims };
    const { location } = await visitor.get("/auth/login/forger");
    return { visit: await visitor.get(forger.approve(location as URL)), visitor };
  }

  it("is a page with 403 that says why, and leaves nothing", async () => {
    const { visit, visitor } = await signIn({ email: "stranger@example.com" });
    expect([visit.status, visit.headers.getSetCookie()]).toEqual([403, []]);
    expect(visit.text).toContain("There is no account with the address stranger@example.com");
    expect(visitor.cookies.has("session")).toBe(false);
    expect(await app.core.accounts.list()).not.toContainEqual(
      expect.objectContaining({ email: "stranger@example.com" }),
    );
  });

  it("is open to those on the list", async () => {
    const { visit, visitor } = await signIn({ sub: "invited", email: "invited@example.com" });
    expect([visit.status, visitor.cookies.has("session")]).toEqual([302, true]);
  });
});

describe("a suspended account", () => {
  it("is told at /shorten that it is suspended, once; then another account can sign in", async () => {
    const { cookie, account } = await seedAccount(open, []);
    await open.core.accounts.suspend(account.id, "phishing");
    const visitor = createVisitor(open);
    visitor.cookies.set("session", cookie);
    const { status, text } = await visitor.get("/shorten");
    expect(status).toBe(403);
    expect(text).toContain("This account is suspended");
    expect((await visitor.get("/shorten")).status).toBe(200);
  });
});

describe("/.well-known/security.txt", () => {
  it("names the contact, and when it must be read again", async () => {
    const { status, headers, text } = await app.ask("GET", "/.well-known/security.txt");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => line.split(": ")),
    );
    expect(fields).toEqual({
      Contact: "mailto:abuse@example.com",
      Expires: expect.any(String),
      "Preferred-Languages": "en",
    });
    const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(80);
    expect(days).toBeLessThan(365);
    expect((await app.ask("POST", "/.well-known/security.txt")).headers.get("allow")).toBe("GET, HEAD");
  });

  it("does not exist without a contact", async () => {
    expect((await open.ask("GET", "/.well-known/security.txt")).status).toBe(404);
  });
});
