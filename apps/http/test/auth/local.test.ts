import { describe, expect, it } from "vitest";
import { type Ask, startApp } from "../client.ts";

const base = "http://localhost:3000";
const app = await startApp({ base });
const proxied = await startApp({ base, trustedProxies: ["127.0.0.1"] });
const published = await startApp({ base: "https://terse.example" });
const here: Ask = { address: "127.0.0.1", headers: { host: "localhost:3000" } };

async function link(of = app) {
  const owner = await of.account("pro");
  const { token } = await of.core.logins.issueLink(owner.id);
  const open = (ask: Ask = {}, method = "GET") =>
    of.ask(method, `/auth/local?token=${token}`, {
      ...here,
      ...ask,
      headers: { ...here.headers, ...ask.headers },
    });
  return { owner, token, open };
}
type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof link>>["open"]>>;
const navigation = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const cookieOf = ({ headers }: Opened) => /^session=([\w-]{43});/.exec(headers.get("set-cookie") ?? "")?.[1];

describe("a sign-in link", () => {
  it("signs in with one GET, such as curl's, and leads to the start page", async () => {
    const { owner, open } = await link();
    const answer = await open();
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(answer.headers.get("set-cookie")).toMatch(/; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { json } = await app.ask("GET", "/v1/me", { cookie: cookieOf(answer) });
    expect(json).toMatchObject({ data: owner });
  });

  it("signs in with Node's fetch, which does not send navigation headers", async () => {
    const { open } = await link();
    expect(cookieOf(await open({ headers: { "Sec-Fetch-Mode": "cors" } }))).toBeDefined();
  });

  it("signs in a person who opens it in a browser", async () => {
    const { open } = await link();
    const headers = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none" };
    expect(cookieOf(await open({ headers }))).toBeDefined();
  });

  it("replaces the browser's earlier session", async () => {
    const { open } = await link();
    const planted = await app.core.sessions.create((await app.account()).id);
    expect(cookieOf(await open({ cookie: planted.token }))).not.toBe(planted.token);
    expect(await app.core.credentials.bySession(planted.token)).toBeNull();
  });

  it.each<[string, string, Record<string, string>]>([
    ["a HEAD request", "HEAD", {}],
    ["a prefetch", "GET", { "Sec-Purpose": "prefetch;prerender" }],
    ["a preview", "GET", { "X-Purpose": "preview" }],
    ["a script", "GET", { "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }],
    ["a frame", "GET", { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" }],
    ["another site's page", "GET", { ...navigation, "Sec-Fetch-Site": "cross-site" }],
    ["a page on another port", "GET", { ...navigation, "Sec-Fetch-Site": "same-site" }],
    ["a browser that does not say where the link was", "GET", { Accept: "text/html,*/*;q=0.8" }],
  ])("is not used up by %s", async (_, method, headers) => {
    const { token, open } = await link();
    const looked = await open({ headers }, method);
    expect([looked.status, looked.headers.get("set-cookie")]).toEqual([200, null]);
    if (method === "GET") expect(looked.text).toContain(`name="token" value="${token}"`);
    expect(cookieOf(await open())).toBeDefined();
  });

  describe("with the button", () => {
    const press = (token: string, { headers, ...ask }: Ask = {}) =>
      app.ask("POST", "/auth/local", {
        ...here,
        body: new URLSearchParams({ token }).toString(),
        ...ask,
        headers: { ...here.headers, "Content-Type": "application/x-www-form-urlencoded", ...headers },
      });

    it("signs in once, from our own page", async () => {
      const { token } = await link();
      const pressed = await press(token, { headers: { Origin: base } });
      expect([pressed.status, pressed.headers.get("location")]).toEqual([303, "/"]);
      expect(cookieOf(pressed)).toBeDefined();
      expect((await press(token)).status).toBe(403);
    });

    it.each<[string, Ask]>([
      ["another site's page", { headers: { Origin: "https://evil.example" } }],
      ["another site", { headers: { "Sec-Fetch-Site": "cross-site" } }],
      ["another machine", { address: "192.0.2.7" }],
    ])("does not sign in from %s, and is not used up by that", async (_, ask) => {
      const { token } = await link();
      const refused = await press(token, ask);
      expect([refused.status, refused.headers.get("set-cookie")]).toEqual([403, null]);
      expect(cookieOf(await press(token))).toBeDefined();
    });
  });

  it("works once, for one of many concurrent requests", async () => {
    const { open } = await link();
    const answers = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(answers.filter((answer) => cookieOf(answer))).toHaveLength(1);
    const again = await open();
    expect([again.status, again.headers.get("set-cookie")]).toEqual([403, null]);
    expect(again.text).toContain("This link no longer works");
  });

  it("works for 15 minutes", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const clocked = await startApp({ base, clock: () => now });
    const { open } = await link(clocked);
    now = new Date(now.getTime() + 15 * 60_000);
    const answer = await open();
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
  });

  it.each<[string, Ask]>([
    ["another machine", { address: "192.0.2.7" }],
    [
      "another machine that claims to be this one",
      { address: "192.0.2.7", headers: { "X-Forwarded-For": "127.0.0.1" } },
    ],
    ["an unspecified address", { address: "0.0.0.0" }],
    ["behind an untrusted proxy", { headers: { "X-Forwarded-For": "192.0.2.7" } }],
    [
      "a page whose host name resolves to this machine (DNS rebinding)",
      { headers: { host: "evil.example:3000" } },
    ],
  ])("does not work from %s, and is not used up by that", async (_, ask) => {
    const { open } = await link();
    const answer = await open(ask);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
    expect(answer.text).toContain("Not available from here");
    expect(cookieOf(await open({ address: "::1", headers: { host: "[::1]:3000" } }))).toBeDefined();
  });

  it("takes the client's address from a trusted proxy", async () => {
    const { open } = await link(proxied);
    expect((await open({ headers: { "X-Forwarded-For": "192.0.2.7" } })).status).toBe(403);
    expect(cookieOf(await open({ headers: { "X-Forwarded-For": "127.0.0.1" } }))).toBeDefined();
  });

  it("does not work on a service with a public address", async () => {
    const { open } = await link(published);
    expect((await open()).status).toBe(403);
  });

  it.each(["", "?token=", "?token=%00", `?token=${"x".repeat(5000)}`, "?token=%22%3E%3Cscript%3E"])(
    "is refused without a valid token: %s",
    async (query) => {
      for (const purpose of ["", "prefetch"]) {
        const headers = { ...here.headers, "Sec-Purpose": purpose };
        const answer = await app.ask("GET", `/auth/local${query}`, { ...here, headers });
        expect([answer.status, answer.headers.get("set-cookie")]).toEqual([purpose ? 200 : 403, null]);
        expect(answer.text).not.toContain("<script>");
      }
    },
  );

  it("is not in the log", async () => {
    const { token, open } = await link();
    await open();
    expect(app.log.join("")).not.toContain(token);
  });
});
