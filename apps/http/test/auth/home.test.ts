import { createCore } from "@terse/core";
import { describe, expect, it } from "vitest";
import { appOn, baseUrl, startApp } from "../client.ts";
import { createVisitor } from "./visitor.ts";

const settings = { name: "my_idp", issuer: "https://idp.example", clientId: "terse", clientSecret: "s" };
const app = await startApp({ providers: [settings, { ...settings, name: "github" }] });
const bare = await startApp();
const local = await startApp({ base: "http://localhost:3000" });

async function signedIn(plan: "free" | "pro" = "free", of = app) {
  const account = await of.account(plan);
  const { token } = await of.core.sessions.create(account.id);
  const visitor = createVisitor(of);
  visitor.cookies.set("session", token);
  return { account, token, visitor };
}
const own = { Origin: baseUrl };

describe("the page at /shorten", () => {
  it("introduces the service and links the login providers if nobody is signed in", async () => {
    const { status, text } = await createVisitor(app).get("/shorten");
    expect(status).toBe(200);
    expect(text).toContain(
      `<a class="button plain" href="${baseUrl}/auth/login/my_idp">Sign in with My Idp</a>`,
    );
    expect(text).toContain(
      `<a class="button plain" href="${baseUrl}/auth/login/github">Sign in with GitHub</a>`,
    );
    expect(text).toContain('<a href="/docs">');
    expect(text).not.toContain("login-link");
  });

  it("explains how to sign in if no provider is configured", async () => {
    const { text } = await createVisitor(local, "http://localhost:3000").get("/shorten");
    // A line may break before the command's name, not within an option.
    expect(text).toContain("./terse admin <span>login-link --email EMAIL</span>");
    expect(text).not.toContain("/auth/login/");
    const published = await createVisitor(bare).get("/shorten");
    expect(published.text).toContain("open the link that the operator of this service sent you");
    expect(published.text).not.toContain("./terse");
  });

  it("is where / leads on a host without a console", async () => {
    const { status, headers } = await createVisitor(app).get("/");
    expect([status, headers.get("location")]).toEqual([302, "/shorten"]);
  });

  it("names the signed-in user and plan", async () => {
    const { account, visitor } = await signedIn("pro");
    const { status, text } = await visitor.get("/shorten");
    expect(status).toBe(200);
    expect(text).toContain(`<strong>${account.name}</strong>${account.email} · Pro`);
    expect(text).toContain('<form method="post" action="/auth/logout">');
  });

  it("may load and run nothing, is not framed or cached, and its forms post to this origin only", async () => {
    const { visitor } = await signedIn();
    for (const { headers, text } of [
      await visitor.get("/shorten"),
      await createVisitor(app).get("/shorten"),
    ]) {
      expect(text).not.toMatch(/<script|<link|<img|<iframe|src=|@import|url\(| style="| on\w+="/);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; img-src 'self'; base-uri 'none'/,
      );
      expect(policy).toContain(`form-action '${text.includes("<form") ? "self" : "none"}'`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("escapes names that users and providers choose", async () => {
    const account = await app.core.accounts.create({ email: "xss@example.com", name: `<script>"'&` });
    const { token } = await app.core.sessions.create(account.id);
    const { text } = await app.ask("GET", "/shorten?link=<script>", { cookie: token });
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;&quot;&#39;&amp;");
  });
});

describe("the form", () => {
  it("shortens, and shows the short URL on a page that can be reloaded", async () => {
    const { account, visitor } = await signedIn();
    const posted = await visitor.post("/shorten", { url: "https://example.com/?<b>" }, own);
    expect(posted.status).toBe(303);
    const links = app.core.caller({ kind: "account", account, credential: "internal" }).links;
    const [link] = (await links.list({})).data;
    expect(link).toMatchObject({ destination: "https://example.com/?%3Cb%3E" });
    expect(posted.headers.get("location")).toBe(`/shorten?link=${link?.id}`);
    for (let at = 0; at < 2; at++) {
      const { text } = await visitor.get(posted.location as URL);
      expect(text).toContain(`<a href="${link?.shortUrl}">${link?.shortUrl.slice(7)}</a>`);
    }
    expect((await links.list({})).meta.total).toBe(1);
  });

  it("explains the error, and keeps the input", async () => {
    const { visitor } = await signedIn();
    const { status, text } = await visitor.post("/shorten", { url: '"><script>alert(1)' }, own);
    expect(status).toBe(400);
    expect(text).toMatch(/<p role="alert" id="problem">The URL must [^<]+<\/p>/);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)"');
    expect((await visitor.post("/shorten", {}, own)).status).toBe(400);
  });

  it("is subject to the rate limit", async () => {
    const limited = await startApp({ rateLimits: { free: 1 } });
    const { visitor } = await signedIn("free", limited);
    const post = () => visitor.post("/shorten", { url: "https://example.com/" }, own);
    expect((await post()).status).toBe(303);
    const { status, text, headers } = await post();
    expect(status).toBe(429);
    expect(text).toContain('role="alert"');
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    expect(headers.get("ratelimit-policy")).toBe('"link-creation";q=1;w=60');
    expect(headers.get("ratelimit")).toMatch(/^"link-creation";r=0;t=[1-9]\d?$/);
  });

  it("does not show another account's link", async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const { location } = await one.visitor.post("/shorten", { url: "https://example.com/secret" }, own);
    expect((await one.visitor.get(location as URL)).text).toContain("example.com/secret");
    expect((await other.visitor.get(location as URL)).text).not.toContain("example.com/secret");
  });

  it("needs a session", async () => {
    const visitor = createVisitor(app);
    const { status, text, headers } = await visitor.post("/shorten", { url: "https://example.com/" }, own);
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe('Bearer realm="terse"');
    expect(text).toContain("Please sign in");
  });

  it.each([
    ["another type", { "Content-Type": "application/json" }, "{}", 415],
    ["more than 64 KiB", {}, `url=${"x".repeat(70_000)}`, 413],
  ])("refuses %s", async (_, headers, body, status) => {
    const { token } = await signedIn();
    const type = { "Content-Type": "application/x-www-form-urlencoded", ...own, ...headers };
    const answer = await app.ask("POST", "/shorten", { cookie: token, body, headers: type });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  });
});

it("cookies are Secure if BASE_URL is https, or a trusted proxy says that the request was", async () => {
  const cookiesOf = async (base: string, proto?: string, address = "10.0.0.1") => {
    const providers = [{ ...settings, name: "github" }];
    const front = await startApp({ base, providers, trustedProxies: ["10.0.0.0/8"] });
    const headers: Record<string, string> = proto === undefined ? {} : { "X-Forwarded-Proto": proto };
    const answers = [
      await front.ask("GET", "/auth/login/github", { headers, address }),
      await front.ask("GET", "/shorten", { headers, address, cookie: "ended" }),
    ];
    return answers.flatMap((answer) => answer.headers.getSetCookie());
  };
  for (const [expected, lines] of [
    [true, await cookiesOf("https://api.test")],
    [true, await cookiesOf(baseUrl, "https")],
    [false, await cookiesOf(baseUrl, "http")],
    [false, await cookiesOf(baseUrl)],
    [false, await cookiesOf(baseUrl, "https", "203.0.113.9")],
  ] as const) {
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(/; Secure(;|$)/.test(line), line).toBe(expected);
  }
});

describe("signing out", () => {
  it("ends the session here and in the browser", async () => {
    const { visitor, token } = await signedIn();
    const { status, headers } = await visitor.post("/auth/logout", {}, own);
    expect([status, headers.get("location")]).toEqual([303, "/"]);
    expect(headers.get("set-cookie")).toMatch(/^session=; Max-Age=0; Path=\//);
    expect(visitor.cookies.size).toBe(0);
    expect((await app.ask("GET", "/v1/me", { cookie: token })).status).toBe(401);
  });

  it("ends both sessions if another host of the site planted one, which nothing else accepts", async () => {
    const [mine, planted] = [await signedIn(), await signedIn()];
    const headers = { Cookie: `session=${planted.token}; session=${mine.token}` };
    const { status, text } = await app.ask("GET", "/shorten", { headers });
    expect([status, text]).toEqual([401, expect.stringContaining("two cookies named session")]);
    expect((await app.ask("POST", "/shorten", { headers: { ...headers, ...own } })).status).toBe(401);
    const left = await app.ask("POST", "/auth/logout", { headers: { ...headers, ...own } });
    expect([left.status, left.headers.get("set-cookie")]).toEqual([
      303,
      expect.stringMatching(/^session=; Max-Age=0/),
    ]);
    for (const { token } of [mine, planted])
      expect((await app.ask("GET", "/v1/me", { cookie: token })).status).toBe(401);
  });

  it("without a session leads to the start page, too", async () => {
    const visitor = createVisitor(app);
    const { status, headers } = await visitor.post("/auth/logout", {}, own);
    expect([status, headers.get("set-cookie")]).toEqual([303, null]);
    visitor.cookies.set("session", "nobody");
    expect((await visitor.post("/auth/logout", {}, own)).status).toBe(303);
    expect(visitor.cookies.size).toBe(0);
  });

  it("is not possible by GET", async () => {
    const { status, headers } = await createVisitor(app).get("/auth/logout");
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("everywhere ends every session", async () => {
    const { account, visitor, token } = await signedIn();
    const elsewhere = await app.core.sessions.create(account.id);
    expect((await app.ask("DELETE", "/v1/me/sessions", { cookie: token })).json).toMatchObject({
      data: { ended: 2 },
    });
    for (const cookie of [token, elsewhere.token])
      expect((await app.ask("GET", "/v1/me", { cookie })).status).toBe(401);
    expect((await visitor.get("/shorten")).text).toContain("Sign in with");
  });
});

describe.each(["/shorten", "/auth/logout"])("POST %s", (path) => {
  it.each<[string, Record<string, string>, boolean]>([
    ["another site", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }, false],
    ["a sibling host", { "Sec-Fetch-Site": "same-site" }, false],
    ["a foreign origin in an old browser", { Origin: "https://evil.example" }, false],
    ["a page without an origin", { Origin: "null" }, false],
    ["our own page", { "Sec-Fetch-Site": "same-origin", Origin: baseUrl }, true],
    ["our own page in an old browser", { Origin: baseUrl }, true],
    ["no browser", {}, true],
  ])("from %s", async (_, headers, taken) => {
    const { account, visitor, token } = await signedIn();
    const { status, headers: answer } = await visitor.post(path, { url: "https://example.com/" }, headers);
    expect(status).toBe(taken ? 303 : 403);
    if (taken) return;
    expect(answer.getSetCookie()).toEqual([]);
    expect(await app.core.credentials.bySession(token)).not.toBeNull();
    const actor = { kind: "account", account, credential: "internal" } as const;
    expect((await app.core.caller(actor).links.list({})).meta.total).toBe(0);
  });
});

it("while the database is unreachable, visitors without a session get the page, all others 503", async () => {
  const core = await createCore({
    databaseUrl: "postgresql://127.0.0.1:1/terse",
    shortBase: "http://short.test",
  });
  const away = appOn(core);
  expect((await away.request("/shorten")).status).toBe(200);
  const cookie = { headers: { Cookie: "session=x" } };
  for (const [path, method] of [
    ["/shorten", "GET"],
    ["/auth/logout", "POST"],
  ] as const) {
    const page = await away.request(path, { ...cookie, method });
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await page.text()).toContain("Back in a moment");
  }
  await core.close();
});
