import { describe, expect, it } from "vitest";
import { createVisitor } from "../auth/visitor.ts";
import { startApp } from "../client.ts";
import {
  allow,
  allScopes,
  answer,
  ask,
  callback,
  mcp,
  post,
  program,
  register,
  registered,
  signedIn,
} from "./program.ts";

const app = await startApp();
const api = "http://api.test";

/** A person with a plan, a program that has registered, and a code that it just got. */
async function withCode(changed: Record<string, string | undefined> = {}) {
  const account = await app.account("pro");
  const person = await signedIn(app, account);
  const test = await registered(app);
  const { url, verifier } = test.request(changed);
  const code = (await allow(person, url)).searchParams.get("code") ?? "";
  return { account, person, test, verifier, code };
}
const actorOf = (token: unknown, audience = mcp) => app.core.credentials.byToken(String(token), audience);
const connectionsOf = async (id: string) =>
  (
    await app.core
      .caller({ kind: "account", account: await accountOf(id), credential: "internal" })
      .connections.list()
  ).length;
async function accountOf(id: string) {
  const account = await app.core.oauth.account(id);
  if (!account) throw new Error("No account");
  return account;
}
const invalidGrant = { status: 400, json: { error: "invalid_grant" } };

describe("a program that signs its user in", () => {
  it("finds the authorization server, registers, asks and gets tokens that work at the MCP server only", async () => {
    const metadata = await app.ask("GET", "/.well-known/oauth-authorization-server");
    expect((await app.ask("HEAD", "/.well-known/oauth-authorization-server")).status).toBe(200);
    expect(metadata.json).toEqual({
      issuer: api,
      authorization_endpoint: `${api}/oauth/authorize`,
      token_endpoint: `${api}/oauth/token`,
      registration_endpoint: `${api}/oauth/register`,
      revocation_endpoint: `${api}/oauth/revoke`,
      device_authorization_endpoint: `${api}/oauth/device`,
      grant_types_supported: expect.arrayContaining([
        "authorization_code",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
      ]),
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      scopes_supported: expect.arrayContaining(["links:read", "account"]),
      protected_resources: [mcp, `${mcp}/full`, api],
      service_documentation: `${api}/docs`,
    });
    const account = await app.account("pro");
    const person = await signedIn(app, account);
    const test = await registered(app);
    const { url, verifier, state } = test.request();
    const page = await ask(person, url);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Test program")]);
    expect(page.text).toContain(account.email);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    const { location } = await answer(person, page);
    expect(location?.href.startsWith(`${callback}?`)).toBe(true);
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      code: expect.any(String),
      state,
      iss: api,
    });
    const tokens = await test.redeem(location?.searchParams.get("code") ?? "", verifier);
    expect(tokens.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 3600,
      scope: allScopes,
    });
    const token = String(tokens.json["access_token"]);
    expect(await actorOf(token)).toMatchObject({ account: { id: account.id } });
    expect(await actorOf(token, api)).toBeNull();
    const overRest = await app.ask("GET", "/v1/links", { key: token });
    expect([overRest.status, overRest.text]).toEqual([401, expect.stringContaining("for another address")]);
    // The browser keeps nothing that would answer the next request by itself.
    expect([...person.cookies.keys()].filter((name) => name.startsWith("oauth_"))).toEqual(["oauth_consent"]);
    expect((await ask(person, test.request().url)).text).toContain("Connect a program?");
  });

  it("gets tokens for the API if it asks for them, which need the plan that API keys need", async () => {
    const changed = { resource: `${api}/`, scope: "account links:read" };
    const test = await registered(app);
    const pro = await ask(await signedIn(app, await app.account("pro")), test.request(changed).url);
    expect([pro.status, pro.text]).toEqual([403, expect.stringContaining("Enterprise plan required")]);
    const account = await app.account("enterprise");
    const { access_token } = await test.connect(await signedIn(app, account), changed);
    expect((await app.ask("GET", "/v1/links", { key: access_token })).status).toBe(200);
    expect((await app.askTrpc("connections.list", undefined, { key: access_token })).status).toBe(200);
    expect(await actorOf(access_token)).toBeNull();
    const refused = await app.ask("POST", "/v1/links", {
      key: access_token,
      json: { url: "https://example.com/" },
    });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="links:write"'),
    ]);
    await app.core.accounts.setPlan(account.email, "pro", { unverified: true });
    expect((await app.ask("GET", "/v1/links", { key: access_token })).status).toBe(403);
  });

  it("gets what its user ticks, and nothing if that is nothing", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const test = await registered(app);
    const { url, verifier } = test.request({ scope: "links:read links:write keys openid" });
    const page = await ask(person, url);
    expect(page.text).not.toContain('value="keys"');
    expect((await answer(person, page, { scopes: ["keys"] })).status).toBe(400);
    const { location } = await answer(person, page, { scopes: ["links:read", "buckets"] });
    const { json } = await test.redeem(location?.searchParams.get("code") ?? "", verifier);
    expect(json["scope"]).toBe("links:read");
  });

  it.each([
    ["no scope and no resource", { scope: undefined, resource: undefined }],
    ["scopes that the resource does not have", { scope: "openid domains offline_access" }],
    ["the address of the MCP server without its path", { resource: "http://mcp.test/" }],
  ])("that asks for %s gets those of the MCP tools", async (_, changed) => {
    const { test, verifier, code } = await withCode(changed);
    const { json } = await test.redeem(code, verifier, { resource: undefined });
    expect(json["scope"]).toBe(allScopes);
    expect(await actorOf(json["access_token"])).not.toBeNull();
  });

  it("learns that its user refused", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const { url, state } = (await registered(app)).request();
    const { location } = await answer(person, await ask(person, url), { decision: "refuse" });
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      error: "access_denied",
      state,
      iss: api,
    });
  });

  it("renews its tokens; a refresh token that comes twice ends the whole connection", async () => {
    const { test, verifier, code, account } = await withCode();
    const first = (await test.redeem(code, verifier)).json;
    const second = (await test.refresh(String(first["refresh_token"]))).json;
    expect(second).toMatchObject({ scope: allScopes, expires_in: 3600 });
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect(await actorOf(second["access_token"])).not.toBeNull();
    const narrower = await test.refresh(String(second["refresh_token"]), { scope: "links:read" });
    expect(narrower.json["scope"]).toBe("links:read");
    expect(await test.refresh(String(first["refresh_token"]))).toMatchObject(invalidGrant);
    for (const { access_token } of [first, second, narrower.json])
      expect(await actorOf(access_token)).toBeNull();
    expect(await test.refresh(String(narrower.json["refresh_token"]))).toMatchObject(invalidGrant);
    const { activity } = app.core.caller({ kind: "account", account, credential: "internal" });
    expect((await activity.list({})).data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["connection_misused", "connection_made"]),
    );
  });

  it("that sends a refresh token twice at once loses the connection too", async () => {
    const { test, verifier, code, account } = await withCode();
    const refresh = String((await test.redeem(code, verifier)).json["refresh_token"]);
    const answers = await Promise.all([test.refresh(refresh), test.refresh(refresh), test.refresh(refresh)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { json } of answers)
      if (json["access_token"]) expect(await actorOf(json["access_token"])).toBeNull();
    expect(await connectionsOf(account.id)).toBe(0);
  });

  it("can end its connection by itself", async () => {
    const { test, verifier, code, account } = await withCode();
    const { access_token, refresh_token } = (await test.redeem(code, verifier)).json;
    const revoke = (token: unknown, { clientId } = test) =>
      post(
        app,
        "/oauth/revoke",
        `client_id=${clientId}&token=${String(token)}`,
        "application/x-www-form-urlencoded",
      );
    expect((await revoke(access_token, await registered(app))).status).toBe(200);
    expect(await actorOf(access_token)).not.toBeNull();
    expect((await revoke(access_token)).status).toBe(200);
    expect(await actorOf(access_token)).toBeNull();
    expect(await test.refresh(String(refresh_token))).toMatchObject(invalidGrant);
    expect(await connectionsOf(account.id)).toBe(0);
    expect((await revoke("unknown")).status).toBe(200);
  });
});

describe("attacks", () => {
  it("a code is used once, and a second use ends what came of the first", async () => {
    const { test, verifier, code } = await withCode();
    const { json } = await test.redeem(code, verifier);
    expect(await actorOf(json["access_token"])).not.toBeNull();
    expect(await test.redeem(code, verifier)).toMatchObject(invalidGrant);
    expect(await actorOf(json["access_token"])).toBeNull();
  });

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: undefined }],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:8912/other" }],
    ["no redirect URI", { redirect_uri: undefined }],
  ])("a code with %s is refused", async (_, changed) => {
    const { test, verifier, code } = await withCode();
    expect((await test.redeem(code, verifier, changed)).json["error"]).toMatch(/^invalid_(grant|request)$/);
  });

  it("a code of another program is refused", async () => {
    const { verifier, code } = await withCode();
    expect(await (await registered(app)).redeem(code, verifier)).toMatchObject(invalidGrant);
  });

  it("a token for another address than the one that was allowed is refused", async () => {
    for (const resource of [api, "https://other.example/mcp"]) {
      const { test, verifier, code } = await withCode();
      const { json } = await test.redeem(code, verifier, { resource });
      expect(json["error"]).toBe("invalid_target");
    }
    const test = await registered(app);
    const person = await signedIn(app, await app.account("pro"));
    const { location } = await ask(person, test.request({ resource: "https://other.example/mcp" }).url);
    expect(location?.searchParams.get("error")).toBe("invalid_target");
  });

  it.each([
    ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
    ["with PKCE in plain", { code_challenge_method: "plain" }],
    ["with a challenge that is no hash", { code_challenge: "short" }],
    ["for a token in the address", { response_type: "token" }],
    ["that must not ask", { prompt: "none" }],
  ])("a request %s goes back with an error", async (_, changed) => {
    const person = await signedIn(app, await app.account("pro"));
    const { location } = await ask(person, (await registered(app)).request(changed).url);
    expect(location?.href.startsWith(callback)).toBe(true);
    expect(location?.href).toMatch(/error=(invalid_request|unsupported_response_type|login_required)/);
  });

  it.each([
    ["to an address that was not registered", { redirect_uri: "https://evil.example/callback" }],
    ["to another path", { redirect_uri: "http://127.0.0.1:8912/callback/../evil" }],
    ["to no address", { redirect_uri: undefined }],
    ["of no program", { client_id: undefined }],
    ["of an unknown program", { client_id: "unknown" }],
    ["of a program with NUL in its id", { client_id: "\0" }],
  ])("a request %s goes nowhere", async (_, changed) => {
    const person = await signedIn(app, await app.account("pro"));
    const page = await ask(person, (await registered(app)).request(changed).url);
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).toContain("cannot be connected");
  });

  it("another port of the same machine is the same program, another host is not", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const test = await registered(app);
    const page = await ask(person, test.request({ redirect_uri: "http://127.0.0.1:1/callback" }).url);
    expect(page.text).toContain("Connect a program?");
    expect(
      (await ask(person, test.request({ redirect_uri: "http://127.0.0.2:8912/callback" }).url)).status,
    ).toBe(400);
  });

  it("only the browser that was asked can answer, from our own page", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const test = await registered(app);
    const page = await ask(person, test.request().url);
    const other = await signedIn(app, await app.account("pro"));
    expect((await other.get(page.url)).status).toBe(400);
    expect((await answer(other, page)).status).toBe(400);
    const forged = { headers: { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" } };
    expect((await answer(person, page, forged)).status).toBe(403);
    // A page that names another account than the one that is signed in by now
    expect((await answer(person, page, { account: (await app.account()).id })).text).toContain(
      "another account",
    );
    const done = await answer(person, page);
    expect(done.location?.searchParams.get("code")).toBeTruthy();
    expect((await answer(person, page)).status).toBe(400);
  });

  it("a page of our own answers without a session, or with an old one, by asking to sign in", async () => {
    const test = await registered(app);
    const nobody = await ask(createVisitor(app), test.request().url);
    expect([nobody.status, nobody.text]).toEqual([200, expect.stringContaining("Sign in to decide")]);
    const account = await app.account("pro");
    const person = await signedIn(app, account);
    const page = await ask(person, test.request().url);
    await app.core.sessions.endAll(account.id);
    expect((await answer(person, page)).text).toContain("Sign in to decide");
    expect(await connectionsOf(account.id)).toBe(0);
  });

  it.each([
    ["no addresses", { redirect_uris: [] }],
    ["an address without https", { redirect_uris: ["http://program.example/callback"] }],
    ["a script for an address", { redirect_uris: ["javascript:alert(1)"] }],
    ["a page's source for an address", { redirect_uris: ["view-source:https://program.example/"] }],
    [
      "an address inside another one",
      { redirect_uris: ["intent://program.example/#Intent;scheme=https;end"] },
    ],
    ["a user name in an address", { redirect_uris: ["https://docs.example@program.example/"] }],
    ["an empty user name in an address", { redirect_uris: ["app://@program.example/"] }],
    ["an address without a slash", { redirect_uris: ["com.example.app:callback"] }],
    ["an address with a fragment", { redirect_uris: ["https://program.example/#here"] }],
    ["addresses that are none", { redirect_uris: "https://program.example/" }],
    ["a name that turns the text around", { client_name: "‮moc.elgoog" }],
    ["a name of three lines", { client_name: "a\nb\nc" }],
    ["an endless name", { client_name: "a".repeat(101) }],
    [
      "21 addresses",
      { redirect_uris: Array.from({ length: 21 }, (_, at) => `https://program.example/${at}`) },
    ],
  ])("a program with %s cannot register", async (_, changed) => {
    const { status, json } = await register(app, { redirect_uris: [callback], ...changed });
    expect([status, json["error"]]).toEqual([400, expect.stringMatching(/^invalid_/)]);
  });

  it("a program gets no secret, and no more than it needs, whatever it asks for", async () => {
    const { json } = await register(app, {
      redirect_uris: ["cursor://anysphere.cursor/callback"],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: [
        "authorization_code",
        "client_credentials",
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
      scope: "everything",
      logo_uri: "https://evil.example/logo.png",
      jwks_uri: "http://127.0.0.1/jwks",
      client_id: "terse-cli",
    });
    expect(json).toMatchObject({
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect(json["client_id"]).not.toBe("terse-cli");
    expect(Object.keys(json)).not.toEqual(expect.arrayContaining(["client_secret"]));
    expect(JSON.stringify(json)).not.toMatch(/evil|everything|jwks_uri/);
  });

  it("a client registers ten times a minute, and no more", async () => {
    const description = { redirect_uris: [callback] };
    for (let time = 0; time < 10; time++)
      expect((await register(app, description, "203.0.113.3")).status).toBe(201);
    const { status, json, headers } = await register(app, description, "203.0.113.3");
    expect([status, json["error"]]).toEqual([429, "temporarily_unavailable"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("pages of other sites", () => {
  it.each(["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"])(
    "may read %s",
    async (path) => {
      const { headers } = await app.ask("GET", path, { headers: { Origin: "https://assistant.example" } });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    },
  );

  it.each(["/oauth/token", "/oauth/register", "/oauth/revoke", "/oauth/device"])(
    "may call %s, and no cookie counts there",
    async (path) => {
      const preflight = await app.ask("OPTIONS", path, {
        headers: { Origin: "https://assistant.example", "Access-Control-Request-Method": "POST" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      const called = await app.ask("POST", path, {
        body: "{}",
        address: "203.0.113.4",
        headers: { Origin: "https://assistant.example", Cookie: "session=x; oauth_form=x" },
      });
      expect(called.headers.get("access-control-allow-origin")).toBe("*");
      expect(called.headers.get("set-cookie")).toBeNull();
      expect([400, 415]).toContain(called.status);
    },
  );

  it("may not read the pages where people decide", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const page = await ask(person, (await registered(app)).request().url);
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
    expect((await app.ask("OPTIONS", "/oauth/authorize")).status).toBe(405);
  });
});

describe("a host that is longer than any name", () => {
  const form = "application/x-www-form-urlencoded";
  const long = `https://${"好".repeat(600)}.example/c`;

  it.each(["client_id", "redirect_uri", "resource"])("is refused unparsed in %s", async (name) => {
    const parameters = new URLSearchParams({ client_id: "terse-cli", response_type: "code", [name]: long });
    const sentence = `${name}: must have a host name of at most 253 characters`;
    const page = await app.ask("GET", `/oauth/authorize?${parameters.toString()}`);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(sentence)]);
    for (const path of ["/oauth/token", "/oauth/device", "/oauth/revoke"])
      expect(await post(app, path, parameters.toString(), form)).toMatchObject({
        status: 400,
        json: { error: "invalid_request", error_description: sentence },
      });
  });

  it("is refused unparsed in what a program says of itself", async () => {
    const refused = await register(app, { redirect_uris: ["https://client.example/", long] });
    expect(refused).toMatchObject({
      status: 400,
      json: {
        error: "invalid_client_metadata",
        error_description: "redirect_uris.1 is missing or not valid",
      },
    });
  });
});

describe("a device", () => {
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  const cli = program(app, "terse-cli");
  const form = "application/x-www-form-urlencoded";
  const begin = async (more = "") =>
    (await post(app, "/oauth/device", `client_id=terse-cli${more}`, form)).json as Record<string, string>;
  const poll = (code: string | undefined) => cli.token({ grant_type: device, device_code: code });

  it("gets tokens once its user has typed its code and allowed it", async () => {
    const account = await app.account("enterprise");
    const person = await signedIn(app, account);
    const started = await begin(`&resource=${api}&scope=links:read%20account`);
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${api}/device`,
      verification_uri_complete: `${api}/device?user_code=${started["user_code"]}`,
      expires_in: 600,
    });
    expect((await poll(started["device_code"])).json["error"]).toBe("authorization_pending");
    const page = await person.get(started["verification_uri_complete"] ?? "");
    expect(page.text).toContain(started["user_code"]);
    const [, xsrf = ""] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
    const wrong = await person.post("/device", { xsrf, user_code: "BBBB-BBBB" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("There is no such code")]);
    const [, again = ""] = /name="xsrf" value="(\w+)"/.exec(wrong.text) ?? [];
    const typed = String(started["user_code"]).toLowerCase().replace("-", " ");
    const { location } = await person.post("/device", { xsrf: again, user_code: typed });
    const question = await person.get(location ?? "");
    expect(question.text).toContain(started["user_code"]);
    expect(question.text).toContain("Terse on the command line");
    const done = await answer(person, question);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("continues on its own")]);
    const { json } = await poll(started["device_code"]);
    expect(json).toMatchObject({ scope: "links:read account", token_type: "Bearer" });
    expect((await app.ask("GET", "/v1/me", { key: String(json["access_token"]) })).status).toBe(200);
    expect(await poll(started["device_code"])).toMatchObject(invalidGrant);
    expect(await cli.refresh(String(json["refresh_token"]))).toMatchObject(invalidGrant); // ended by the second use
  });

  it("learns that its user refused, and a code works once", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const started = await begin();
    const type = async () => {
      const page = await person.get("/device");
      const [, xsrf = ""] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
      return person.post("/device", { xsrf, user_code: started["user_code"] ?? "" });
    };
    const { location } = await type();
    const done = await answer(person, await person.get(location ?? ""), { decision: "refuse" });
    expect(done.text).toContain("You refused");
    expect((await poll(started["device_code"])).json["error"]).toBe("access_denied");
    expect((await type()).text).toContain("already been used");
    expect((await person.post("/device", { xsrf: "forged", user_code: "BBBB-BBBB" })).status).toBe(400);
  });

  it("is not lost if its user's page was open for too long, or lacks its cookie", async () => {
    const person = await signedIn(app, await app.account("pro"));
    const { user_code = "" } = await begin();
    const body = new URLSearchParams({ xsrf: "old", user_code }).toString();
    const expired = "e".repeat(43);
    await app.core.oauth.store.upsert(
      "Session",
      expired,
      { kind: "Session", exp: 1, state: { secret: "old" } },
      1,
    );
    for (const id of ["", "gone", "g".repeat(43), expired]) {
      const headers = { "Content-Type": form, cookie: `oauth_form=${id}` };
      const sent = await app.ask("POST", "/device", { headers, body });
      const location = sent.headers.get("location") ?? "";
      expect([sent.status, location]).toEqual([303, `/device?user_code=${user_code}`]);
      expect((await person.get(location)).text).toContain(user_code);
    }
  });

  it("cannot be a program that registered itself", async () => {
    const { clientId } = await registered(app);
    const { json } = await post(app, "/oauth/device", `client_id=${clientId}`, form);
    expect(json["error"]).toMatch(/^(unauthorized_client|invalid_request|invalid_client)$/);
  });
});

it.each(["fragment", "form_post", "query.jwt", ""])(
  "an answer is sent in the query only, and not in the mode %j",
  async (response_mode) => {
    const person = await signedIn(app, await app.account("pro"));
    const test = await registered(app);
    const page = await ask(person, test.request({ response_mode }).url);
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).toContain("response_mode: must be");
    expect((await allow(person, test.request({ response_mode: "query" }).url)).searchParams.has("code")).toBe(
      true,
    );
  },
);
