import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startApp } from "../client.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

/** GitHub's endpoints as documented; errors of the token endpoint have status 200. */
const github = {
  user: {} as object,
  emails: [] as object[],
  emailsStatus: 200,
  asked: [] as string[],
};
const server = createServer((request, response) => {
  const json = (value: unknown, status = 200) =>
    void response
      .writeHead(status, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(value));
  const { method, url, headers } = request;
  let body = "";
  request.on("data", (text: Buffer) => (body += text.toString()));
  request.on("end", () => {
    github.asked.push(`${method} ${url} ${headers["user-agent"] ? "by name" : "nameless"}`);
    const form = new URLSearchParams(body);
    if (url === "/login/oauth/access_token") {
      if (form.get("client_secret") !== "s3cret") return json({ error: "incorrect_client_credentials" });
      if (form.get("code") !== "right") return json({ error: "bad_verification_code" });
      return json({ access_token: "gho_1", token_type: "bearer", scope: "read:user,user:email" });
    }
    if (headers.authorization !== "Bearer gho_1") return json({ message: "Bad credentials" }, 401);
    if (url === "/api/v3/user") return json(github.user);
    if (url === "/api/v3/user/emails") return json(github.emails, github.emailsStatus);
    return json({ message: "Not Found" }, 404);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.closeAllConnections());
afterAll(() => void server.close());
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const settings = { name: "github", issuer, clientId: "terse", clientSecret: "s3cret" };
const app = await startApp({ providers: [settings] });

let visitor: Visitor;
let people = 0;
const address = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified });

beforeEach(() => {
  visitor = createVisitor(app);
  const id = ++people;
  Object.assign(github, {
    user: { id, login: `octo${id}`, name: null, email: "public@example.com" },
    emails: [address(`other${id}@example.com`, false, true), address(`octo${id}@example.com`, true, true)],
    emailsStatus: 200,
    asked: [],
  });
});

async function signIn(code = "right") {
  const { location } = await visitor.get("/auth/login/github");
  const state = location?.searchParams.get("state") ?? "";
  return { location, visit: await visitor.get(`/auth/callback/github?code=${code}&state=${state}`) };
}
const me = async () => {
  const { json } = await app.ask("GET", "/v1/me", { cookie: visitor.cookies.get("session") ?? "" });
  return (json as { data: { email: string; name: string } | null }).data;
};

describe("GitHub", () => {
  it("is asked for the user and their addresses, with PKCE", async () => {
    const { location, visit } = await signIn();
    expect(location?.href).toMatch(`${issuer}/login/oauth/authorize?`);
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      scope: "read:user user:email",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(visit.status).toBe(302);
    expect(github.asked).toEqual([
      "POST /login/oauth/access_token by name",
      "GET /api/v3/user by name",
      "GET /api/v3/user/emails by name",
    ]);
    expect(await me()).toMatchObject({
      email: `octo${people}@example.com`,
      name: `octo${people}`,
      plan: "free",
    });
  });

  it("finds the same account by its id, whatever its name and address become", async () => {
    await signIn();
    const before = await me();
    github.user = { ...github.user, login: "renamed", name: "Renamed" };
    github.emails = [address("moved@example.com", true, true)];
    visitor = createVisitor(app);
    await signIn();
    expect(await me()).toEqual(before);
  });

  it("joins an account by its verified primary address", async () => {
    const account = await app.core.accounts.create({ email: `octo${people}@example.com`, plan: "pro" });
    await signIn();
    expect(await me()).toMatchObject(account);
  });

  it.each([
    ["no address", []],
    ["a primary address that is not verified", [address("victim@example.com", true, false)]],
    ["a verified address that is not the primary one", [address("victim@example.com", false, true)]],
  ])("refuses a sign-in with %s", async (_, emails) => {
    github.emails = emails;
    const { visit } = await signIn();
    expect([visit.status, visit.headers.getSetCookie(), await me()]).toEqual([403, [], null]);
    expect(visit.text).toContain("which an account needs");
  });

  it("refuses a wrong code", async () => {
    const { visit } = await signIn("wrong");
    expect([visit.status, visit.headers.getSetCookie()]).toEqual([400, []]);
  });

  it("that fails, or answers something unexpected, is a 502 page", async () => {
    github.emailsStatus = 500;
    expect((await signIn()).visit.status).toBe(502);
    github.emailsStatus = 200;
    github.user = { message: "hello" };
    const { visit } = await signIn();
    expect([visit.status, visit.headers.getSetCookie()]).toEqual([502, []]);
  });

  it("is titled GitHub in the list of providers", async () => {
    const { json } = await app.ask("GET", "/auth/providers");
    expect(json).toMatchObject({ data: { providers: [{ name: "github", title: "GitHub" }] } });
  });
});
