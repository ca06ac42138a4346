import { beforeEach, describe, expect, it } from "vitest";
import { baseUrl, startApp } from "../client.ts";
import { startForger } from "./forger.ts";
import { createVisitor, type Visit, type Visitor } from "./visitor.ts";

const forger = await startForger();
const other = await startForger("other");
const app = await startApp({ providers: [forger.settings, other.settings] });
let visitor: Visitor;
let people = 0;
let email = "";

beforeEach(async () => {
  await Promise.all([forger.reset(), other.reset()]);
  visitor = createVisitor(app);
  email = `person${++people}@example.com`;
  forger.claims = { sub: `person-${people}`, email, email_verified: true, name: "Ada" };
});

/** Where the provider redirects the browser once the person has agreed */
async function begin(returnTo?: string, who = visitor): Promise<URL> {
  const query = returnTo === undefined ? "" : `?return_to=${encodeURIComponent(returnTo)}`;
  const { location } = await who.get(`/auth/login/forger${query}`);
  return forger.approve(location as URL);
}
const signedInAs = async ({ cookies } = visitor) => {
  const { json, status } = await app.ask("GET", "/v1/me", { cookie: cookies.get("session") ?? "" });
  return status === 200 ? (json as { data: { email: string } }).data.email : null;
};
function expectRefused(visit: Visit, status: number): void {
  expect([visit.status, visit.headers.getSetCookie()]).toEqual([status, []]);
  expect(visit.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(visit.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  expect(visit.headers.get("cache-control")).toBe("no-store");
  expect(visit.text).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
  expect(visit.text).not.toMatch(/undefined|\[object|OAUTH_|Error/);
}
async function expectNoSession(visit: Visit, status: number): Promise<void> {
  expectRefused(visit, status);
  expect(visitor.cookies.has("session")).toBe(false);
  expect((await app.core.accounts.list()).filter((account) => account.email === email)).toEqual([]);
}

describe("signing in", () => {
  it("redirects to the provider with every parameter of the flow", async () => {
    const { status, location, headers } = await visitor.get("/auth/login/forger?return_to=/docs");
    expect(status).toBe(302);
    expect(location?.origin).toBe(forger.issuer);
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(location?.searchParams ?? []);
    expect(rest).toEqual({
      client_id: "terse",
      response_type: "code",
      redirect_uri: `${baseUrl}/auth/callback/forger`,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    for (const part of [state, nonce, code_challenge]) expect(part).toMatch(/^[\w-]{43}$/);
    expect(new Set([state, nonce, code_challenge]).size).toBe(3);
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/; Max-Age=600; Path=\/auth; HttpOnly; SameSite=Lax$/);
    for (const part of [state, nonce, code_challenge]) expect(cookie).not.toContain(part);
  });

  it("ends with a session cookie, a Free account, and the requested page", async () => {
    const visit = await visitor.get(await begin("/docs?a=1#links"));
    expect([visit.status, visit.headers.get("location")]).toEqual([302, "/docs?a=1#links"]);
    const session = visit.headers.getSetCookie().find((line) => line.startsWith("session="));
    expect(session).toMatch(/^session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await signedInAs()).toBe(email);
    const account = await app.core.accounts.byEmail(email);
    expect(account).toMatchObject({ name: "Ada", plan: "free" });
    expect(Array.from(visitor.cookies.keys())).toEqual(["session"]);
  });

  it("sends the secret by the provider's method, and the verifier with the code", async () => {
    await visitor.get(await begin());
    expect(forger.tokenRequest.get("code_verifier")).toMatch(/^[\w-]{43}$/);
    expect(forger.tokenRequest.has("client_secret")).toBe(false);
  });

  it("replaces the browser's earlier session, and ends it", async () => {
    const { id } = await app.account();
    const planted = await app.core.sessions.create(id);
    visitor.cookies.set("session", planted.token);
    await visitor.get(await begin());
    expect(visitor.cookies.get("session")).not.toBe(planted.token);
    expect(await signedInAs()).toBe(email);
    expect(await app.core.credentials.bySession(planted.token)).toBeNull();
  });

  it("keeps the latest eight attempts of a browser", async () => {
    for (let tab = 0; tab < 20; tab++) await begin();
    expect(visitor.cookies.size).toBe(8);
    expect((await visitor.get(await begin())).status).toBe(302);
  });

  it("makes one account if a person first signs in in many tabs at once", async () => {
    const callbacks = await Promise.all(Array.from({ length: 6 }, () => begin()));
    const visits = await Promise.all(callbacks.map((callback) => visitor.get(callback)));
    expect(visits.map(({ status }) => status)).toEqual(Array(6).fill(302));
    expect(await app.core.accounts.byEmail(email)).toMatchObject({ email });
  });
});

it("keeps an account that was being deleted, and says so before it leads on", async () => {
  await visitor.get(await begin());
  const session = () => ({ cookie: visitor.cookies.get("session") ?? "" });
  const answer = await app.ask("DELETE", "/v1/me", session());
  expect([answer.status, answer.json]).toEqual([
    200,
    { data: { deletes_at: expect.any(String) }, error: null, meta: null },
  ]);
  expect(await signedInAs()).toBeNull();
  const kept = await visitor.get(await begin("/docs"));
  expect([kept.status, kept.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(kept.text).toContain("Because you signed in, it stays as it was");
  expect(kept.text).toContain('href="/docs"');
  expect(await signedInAs()).toBe(email);
  expect((await visitor.get(await begin("/docs"))).status).toBe(302);
  const { json } = await app.ask("GET", "/v1/me/activity", session());
  expect((json as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
    "session_ended",
    "signed_in",
    "deletion_revoked",
    "signed_in",
    "deletion_requested",
    "signed_in",
    "identity_linked",
  ]);
});

describe("a callback is refused", () => {
  it.each<[string, (callback: URL) => void]>([
    ["without a state", (callback) => callback.searchParams.delete("state")],
    ["with another state", (callback) => callback.searchParams.set("state", "x".repeat(43))],
    [
      "with a state that only starts like ours",
      (callback) =>
        callback.searchParams.set("state", `${callback.searchParams.get("state")?.slice(0, -1)}!`),
    ],
    ["with two states", (callback) => callback.searchParams.append("state", "x")],
    ["without a code", (callback) => callback.searchParams.delete("code")],
    ["with another code", (callback) => callback.searchParams.set("code", "wrong")],
    [
      "from another issuer (RFC 9207)",
      (callback) => callback.searchParams.set("iss", "https://evil.example"),
    ],
    ["at another provider's address", (callback) => void (callback.pathname = "/auth/callback/other")],
  ])("%s", async (_, spoil) => {
    const callback = await begin();
    spoil(callback);
    await expectNoSession(await visitor.get(callback), 400);
  });

  it("in another browser", async () => {
    const callback = await begin();
    visitor = createVisitor(app);
    await expectNoSession(await visitor.get(callback), 400);
  });

  it("in another browser that has its own attempt", async () => {
    const callback = await begin();
    visitor = createVisitor(app);
    const own = await begin();
    callback.searchParams.set("state", own.searchParams.get("state") ?? "");
    await expectNoSession(await visitor.get(callback), 403); // the nonce is the first browser's
  });

  it("the second time", async () => {
    const callback = await begin();
    await visitor.get(callback);
    expectRefused(await visitor.get(callback), 400);
  });

  it("with a code that was used, under an attempt that was not", async () => {
    const used = await begin();
    await visitor.get(used);
    visitor.cookies.clear();
    const callback = await begin();
    callback.searchParams.set("code", used.searchParams.get("code") ?? "");
    expectRefused(await visitor.get(callback), 400);
    expect(visitor.cookies.has("session")).toBe(false);
  });

  it("without `iss` if the provider's metadata promises one", async () => {
    const fresh = await startForger("strict");
    fresh.metadata = { authorization_response_iss_parameter_supported: true };
    fresh.claims = forger.claims;
    const strict = await startApp({ providers: [fresh.settings] });
    const someone = createVisitor(strict);
    const start = async () => (await someone.get("/auth/login/strict")).location as URL;
    expectRefused(await someone.get(fresh.approve(await start())), 400);
    const { status } = await someone.get(fresh.approve(await start(), { iss: fresh.issuer }));
    expect(status).toBe(302);
  });

  it.each([
    ["access_denied", 403, "Sign-in was cancelled"],
    ["login_required", 403, "Forger denied the sign-in"],
    ["server_error", 502, "Sign-in with Forger is not working"],
    ["temporarily_unavailable", 503, "Forger cannot be reached"],
  ])("with the provider's %s", async (error, status, title) => {
    const callback = await begin();
    callback.searchParams.delete("code");
    callback.searchParams.set("error", error);
    callback.searchParams.set("error_description", "<script>alert(1)</script>");
    const visit = await visitor.get(callback);
    await expectNoSession(visit, status);
    expect(visit.text).toContain(`<title>${title}</title>`);
    expect(visit.text).not.toContain("alert(1)");
    expect(forger.requests["/token"]).toBeUndefined();
  });
});

describe("an ID token is refused", () => {
  const long = 3600;
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, number, () => object]>([
    ["for another client", 403, () => ({ aud: "somebody-else" })],
    ["for several clients, authorised for another one", 403, () => ({ aud: ["terse", "x"], azp: "x" })],
    ["from another issuer", 403, () => ({ iss: "https://evil.example" })],
    ["that has expired", 403, () => ({ exp: now() - long, iat: now() - 2 * long })],
    ["with another nonce", 403, () => ({ nonce: "x" })],
    ["without a nonce", 400, () => ({ nonce: undefined })],
    ["without a subject", 400, () => ({ sub: undefined })],
    ["with a subject that cannot be stored", 400, () => ({ sub: "a\u0000b" })],
    ["with an invalid e-mail address", 400, () => ({ email: "nobody" })],
  ])("%s", async (_, status, spoil) => {
    const callback = await begin();
    forger.claims = { ...forger.claims, ...spoil() };
    await expectNoSession(await visitor.get(callback), status);
  });

  it("with an invalid signature", async () => {
    forger.badSignature = true;
    await expectNoSession(await visitor.get(await begin()), 400);
  });
});

describe("an e-mail address", () => {
  it("joins the account with it if the provider has verified it", async () => {
    const account = await app.core.accounts.create({ email, plan: "pro" });
    await visitor.get(await begin());
    expect(await signedInAs()).toBe(email);
    expect(await app.core.accounts.byEmail(email)).toEqual(account);
  });

  it.each([false, undefined, null, "false", "TRUE", "yes", 1])(
    "joins no account with email_verified %j",
    async (email_verified) => {
      await app.core.accounts.create({ email, plan: "enterprise" });
      forger.claims = { ...forger.claims, email_verified };
      const visit = await visitor.get(await begin());
      expectRefused(visit, 409);
      expect(visit.text).toContain("This e-mail address already has an account");
      expect(visitor.cookies.has("session")).toBe(false);
    },
  );

  it("that is new and not verified makes an account, which loses it to the person who proves it", async () => {
    forger.claims = { ...forger.claims, email_verified: false };
    await visitor.get(await begin());
    expect(await signedInAs()).toBe(email);
    const owner = createVisitor(app);
    forger.claims = { ...forger.claims, sub: "the-owner", email_verified: true };
    expect((await owner.get(await begin("/", owner))).status).toBe(302);
    expect(await signedInAs(owner)).toBe(email);
    expect(await signedInAs()).toMatch(/@unproven\.invalid$/);
  });

  it('is verified also by the text "true", as Cognito, JumpCloud and Authelia send it', async () => {
    const account = await app.core.accounts.create({ email, plan: "pro" });
    forger.claims = { ...forger.claims, email_verified: "true" };
    await visitor.get(await begin());
    expect(await app.core.accounts.byEmail(email)).toEqual(account);
    expect(await signedInAs()).toBe(email);
  });

  it("is needed, and the page names the claim", async () => {
    forger.claims = { sub: "no-address" };
    const visit = await visitor.get(await begin());
    await expectNoSession(visit, 403);
    expect(visit.text).toContain("The provider shared no verified address (claim email)");
  });
});

describe("a provider with userinfo", async () => {
  const informed = await startForger("informed");
  const service = await startApp({ providers: [informed.settings] });
  const endpoint = { userinfo_endpoint: `${informed.issuer}/userinfo` };
  informed.metadata = endpoint;

  /** Signs in a person whose ID token and userinfo have these claims; returns the answer, and the address of the account. */
  async function signIn(idToken: object, userinfo: object | null, jwt = false) {
    const sub = `informed-${people}`;
    const someone = createVisitor(service);
    informed.claims = { sub, ...idToken };
    informed.userinfo = userinfo && { claims: { sub, ...userinfo }, jwt };
    const { location } = await someone.get("/auth/login/informed");
    const visit = await someone.get(informed.approve(location as URL));
    const me = await service.ask("GET", "/v1/me", { cookie: someone.cookies.get("session") ?? "" });
    return { visit, email: (me.json as { data: { email: string } | null }).data?.email };
  }
  const existing = () => service.core.accounts.create({ email, plan: "pro" });

  it.each([
    ["as JSON", false],
    ["as a signed token, although the metadata names no algorithm", true],
  ])("is asked what the ID token does not say, %s", async (_, jwt) => {
    await existing();
    expect((await signIn({}, { email, email_verified: true }, jwt)).email).toBe(email);
  });

  it.each([true, "true"])("is asked whether the address is verified: %j", async (email_verified) => {
    await existing();
    expect((await signIn({ email }, { email, email_verified })).email).toBe(email);
  });

  it("verifies no other address than its own", async () => {
    await existing();
    const own = `own-${email}`;
    expect((await signIn({ email }, { email: own, email_verified: true })).email).toBe(own);
  });

  it("does not make an address verified by saying nothing, or by not answering", async () => {
    await existing();
    for (const userinfo of [{ email }, { email_verified: "yes" }, null])
      expect((await signIn({ email }, userinfo)).visit.status).toBe(409);
  });

  it("is not believed if its signature is wrong", async () => {
    const { visit } = await signIn({}, { email, email_verified: true }, true);
    expect(visit.status).toBe(302);
    informed.badSignature = true;
    expect((await signIn({}, { email, email_verified: true }, true)).email).toBeUndefined();
    informed.badSignature = false;
  });
});

describe("a wrong issuer is logged beside the expected one", () => {
  const logged = () => app.log.join("");
  const values = (got: string) => `(expected \\"${forger.issuer}\\", got \\"${got}\\")`;

  it("of a token", async () => {
    const callback = await begin();
    forger.claims = { ...forger.claims, iss: "https://wrong-token.example" };
    await visitor.get(callback);
    expect(logged()).toContain(values("https://wrong-token.example"));
  });

  it("of an answer", async () => {
    const callback = await begin();
    callback.searchParams.set("iss", "https://wrong-answer.example");
    await visitor.get(callback);
    expect(logged()).toContain(values("https://wrong-answer.example"));
  });

  it("of the metadata", async () => {
    const wrong = await startForger("wrong");
    wrong.metadata = { issuer: "https://wrong-metadata.example" };
    const service = await startApp({ providers: [wrong.settings] });
    await createVisitor(service).get("/auth/login/wrong");
    expect(service.log.join("")).toContain(
      `(expected \\"${wrong.issuer}/\\", got \\"https://wrong-metadata.example\\")`,
    );
  });
});

describe("return_to", () => {
  it.each([
    ["/docs", "/docs"],
    ["/docs?x=1&y=%2F#z", "/docs?x=1&y=%2F#z"],
    ["/Größe", "/Gr%C3%B6%C3%9Fe"],
    ["", "/"],
    ["docs", "/"],
    ["//evil.example", "/"],
    ["///evil.example", "/"],
    ["/\\evil.example", "/"],
    ["\\\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["/\n/evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/x/..//evil.example", "/"],
    ["/%2e//evil.example", "/"],
    ["/\r\nSet-Cookie: session=x", "/"],
    ["https://evil.example/", "/"],
    ["http://api.test@evil.example/", "/"],
    ["javascript:alert(1)", "/"],
    ["/auth/login/forger", "/"],
    ["/x/../auth/login/forger", "/"],
    [`/${"x".repeat(500)}`, "/"],
    [`/${"ö".repeat(100)}`, "/"],
  ])("%j leads to %j", async (asked, expected) => {
    const { headers, location } = await visitor.get(await begin(asked));
    expect(headers.get("location")).toBe(expected);
    expect(location?.origin).toBe(baseUrl);
  });

  it("stays local if the cookie was tampered with", async () => {
    const callback = await begin();
    const evil = Buffer.from("//evil.example").toString("base64url");
    for (const [name, value] of visitor.cookies) visitor.cookies.set(name, `${value.split(".")[0]}.${evil}`);
    expect((await visitor.get(callback)).headers.get("location")).toBe("/");
  });
});

describe("a provider", () => {
  it("that is not configured is 404", async () => {
    for (const path of [
      "/auth/login/nobody",
      "/auth/callback/nobody?code=x&state=x",
      "/auth/login/__proto__",
    ])
      expectRefused(await visitor.get(path), 404);
  });

  it("is asked for its discovery document once for concurrent logins", async () => {
    const fresh = await startForger("fresh");
    const { app: own } = await startApp({ providers: [fresh.settings] });
    expect(fresh.requests).toEqual({});
    const starts = await Promise.all(
      Array.from({ length: 10 }, async () => own.request("/auth/login/fresh")),
    );
    expect(starts.map(({ status }) => status)).toEqual(Array(10).fill(302));
    await own.request("/auth/login/fresh");
    expect(fresh.requests).toEqual({ "/.well-known/openid-configuration": 1 });
  });

  it.each([
    ["gone", 503],
    ["hangs", 503],
    ["broken", 502],
  ] as const)("that is down (%s) gives a %d page, and works as soon as it is back", async (how, status) => {
    const fresh = await startForger("fresh");
    const own = await startApp({ providers: [fresh.settings] });
    const someone = createVisitor(own);
    await fresh.away(how);
    const visit = await someone.get("/auth/login/fresh");
    expectRefused(visit, status);
    expect(visit.headers.get("retry-after")).toBe(status === 503 ? "5" : null);
    expect(visit.text).toMatch(
      status === 503 ? "Fresh cannot be reached" : "Sign-in with Fresh is not working",
    );
    expect(own.log.at(-1)).toMatch(/"level":"error".*"status":50[23]/);
    await fresh.away(null);
    const begun = await someone.get("/auth/login/fresh");
    expect(begun.location?.origin).toBe(fresh.issuer);
    await fresh.away(how);
    expectRefused(await someone.get(fresh.approve(begun.location as URL)), status);
    await fresh.away(null);
    fresh.claims = forger.claims;
    expect((await someone.get(fresh.approve(begun.location as URL))).status).toBe(302);
  });

  it("whose metadata names another issuer is not trusted", async () => {
    const fresh = await startForger("fresh");
    fresh.metadata = { issuer: "https://evil.example" };
    const own = await startApp({ providers: [fresh.settings] });
    expectRefused(await createVisitor(own).get("/auth/login/fresh"), 502);
  });

  it("that refuses the client secret is 502, and the log says so without the secret", async () => {
    const callback = await begin();
    forger.refusal = { status: 401, body: { error: "invalid_client" } };
    expectRefused(await visitor.get(callback), 502);
    expect(app.log.at(-1)).toContain("invalid_client");
    expect(app.log.join("")).not.toContain("s3cret");
  });
});

it("GET /auth/providers lists the providers in the envelope", async () => {
  const { status, json } = await app.ask("GET", "/auth/providers");
  const entry = (name: string, title: string) => ({
    name,
    title,
    login_url: `${baseUrl}/auth/login/${name}`,
  });
  expect([status, json]).toEqual([
    200,
    {
      data: {
        providers: [entry("forger", "Forger"), entry("other", "Other")],
        passkeys: false,
        email: false,
      },
      error: null,
      meta: null,
    },
  ]);
});

it("on https every cookie is Secure", async () => {
  const base = "https://api.test";
  const secure = await startApp({ providers: [forger.settings], base });
  const someone = createVisitor(secure, base);
  const { headers, location } = await someone.get("/auth/login/forger");
  const done = await someone.get(forger.approve(location as URL));
  const cookies = [...headers.getSetCookie(), ...done.headers.getSetCookie()];
  expect(cookies).toHaveLength(3);
  for (const cookie of cookies) expect(cookie).toMatch(/; Secure/);
});

it("the log has the paths of a login and none of its secrets", async () => {
  const callback = await begin();
  await visitor.get(callback);
  const secrets = [...callback.searchParams.values(), visitor.cookies.get("session") ?? "", email];
  const log = app.log.join("");
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

describe("garbage", () => {
  const garbage = [
    "",
    "x",
    "%00",
    "%ff%fe",
    "%E0%A4%A",
    "%0d%0aSet-Cookie:%20session=x",
    "__proto__",
    "..%2f..%2f",
    "%F0%9F%92%A9",
    "x".repeat(8000),
    "<script>alert(1)</script>",
    "a&state=b&state=c&code[]=d",
  ];

  it.each(garbage.map((text) => [text.slice(0, 40), text]))("is refused with a page: %s", async (_, text) => {
    const callback = await begin();
    const state = callback.searchParams.get("state") ?? "";
    const cookies = [`login_${state.slice(0, 8)}=${text}`, `login_=${text}`, `session=${text}`, text];
    const paths = [
      `/auth/callback/forger?state=${text}`,
      `/auth/callback/forger?state=${state}&code=${text}`,
      `/auth/callback/forger?${text}`,
      `/auth/callback/${text.replace(/[?&#]/g, "") || "x"}?state=${state}`,
      `/auth/login/${text.replace(/[?&#]/g, "") || "x"}`,
    ];
    for (const path of paths) {
      for (const cookie of cookies) {
        const {
          status,
          headers,
          text: page,
        } = await app.ask("GET", path, {
          headers: /^[\x20-\x7E]*$/.test(cookie) ? { Cookie: cookie } : {},
        });
        expect([400, 404], path.slice(0, 100)).toContain(status);
        expect(headers.get("set-cookie")).toBeNull();
        expect(page).not.toContain("<script>");
      }
    }
  });
});
