import { createAuthenticator } from "@terse/testkit/authenticator";
import { describe, expect, it } from "vitest";
import { type Answer, errorOf, startApp } from "../client.ts";
import { expectRefusal } from "../expect-refusal.ts";
import { createVisitor } from "./visitor.ts";

const base = "http://localhost:3000";
const app = await startApp({ base });
const unsupported = await startApp();
const foreign = { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" };

const dataOf = ({ json }: Answer) => (json as { data: unknown }).data;
const cookieOf = ({ headers }: Answer) => /^session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1];
const options = async (json: object, cookie?: string) =>
  dataOf(await app.ask("POST", "/auth/passkey/options", { json, cookie })) as {
    challenge: string;
    user?: { id: string };
  };
const verify = (json: object, cookie?: string, headers: Record<string, string> = {}) =>
  app.ask("POST", "/auth/passkey/verify", { json, cookie, headers });

/** An account, the token of its session, and a device with a passkey of it. */
async function withPasskey() {
  const account = await app.account("free");
  const { token } = await app.core.sessions.create(account.id);
  const device = createAuthenticator(base);
  const response = device.make(await options({ for: "add" }, token));
  const added = await verify({ for: "add", response, name: "Laptop" }, token);
  expect(added.status).toBe(201);
  return { account, token, device, added };
}

describe("the routes of passkeys", () => {
  it("sign in a browser, which ends its other session, and lead to a path of this origin", async () => {
    const { account, token, device, added } = await withPasskey();
    expect(added.json).toMatchObject({ data: { name: "Laptop", last_used_at: null }, error: null });
    const response = device.use(await options({}));
    const answer = await verify({ response, return_to: "/settings/keys?new=true" }, token);
    expect([answer.status, dataOf(answer)]).toEqual([200, { next: "/settings/keys?new=true" }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const me = await app.ask("GET", "/v1/me", { cookie: cookieOf(answer) });
    expect(dataOf(me)).toMatchObject({ id: account.id });
    expect((await app.ask("GET", "/v1/me", { cookie: token })).status).toBe(401);
    const elsewhere = { response: device.use(await options({})), return_to: "//evil.test/" };
    expect(dataOf(await verify(elsewhere))).toEqual({ next: "/" });
    const { data } = await app.core
      .caller({ kind: "account", account, credential: "internal" })
      .activity.list({});
    expect(data[0]).toMatchObject({ action: "signed_in", about: "passkey" });
  });

  it("refuse a replay, other sites, and what is no answer of a device, without a cookie", async () => {
    const { device, token } = await withPasskey();
    const response = device.use(await options({}));
    expect((await verify({ response }, undefined, foreign)).status).toBe(403);
    expect((await app.ask("POST", "/auth/passkey/options", { json: {}, headers: foreign })).status).toBe(403);
    expect((await verify({ response })).status).toBe(200);
    const replayed = await verify({ response });
    expect([replayed.status, cookieOf(replayed)]).toEqual([401, undefined]);
    for (const json of [
      {},
      { response: 1 },
      { response: { ...response, id: "?" } },
      { for: "what", response },
    ]) {
      const refused = await verify(json);
      expect([refused.status, cookieOf(refused)]).toEqual([400, undefined]);
    }
    expect((await verify({ for: "again", response })).status).toBe(401);
    expect((await app.ask("POST", "/auth/passkey/options", { json: { for: "add" } })).status).toBe(401);
    expectRefusal(await app.ask("GET", "/auth/passkey/options", { cookie: token }), 405);
  });

  it("sign in again only to the account of the session", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()];
    const refused = await verify(
      { for: "again", response: theirs.device.use(await options({ for: "again" }, mine.token)) },
      mine.token,
    );
    expect([refused.status, errorOf(refused)]).toEqual([
      401,
      "This passkey does not belong to an account here; it may have been removed",
    ]);
    const response = mine.device.use(await options({ for: "again" }, mine.token));
    const again = await verify({ for: "again", response }, mine.token);
    expect(again.status).toBe(200);
    expect((await app.ask("GET", "/v1/me", { cookie: cookieOf(again) })).status).toBe(200);
  });

  it("refuse a suspended account, and keep one that is being deleted", async () => {
    const { account, device, token } = await withPasskey();
    await app.core.accounts.suspend(account.id, "spam");
    const refused = await verify({ response: device.use(await options({})) });
    expect([refused.status, cookieOf(refused)]).toEqual([403, undefined]);
    await app.core.accounts.resume(account.id);
    await app.ask("DELETE", "/v1/me", { cookie: token });
    const kept = await verify({ response: device.use(await options({})), return_to: "/domains" });
    expect(dataOf(kept)).toEqual({ next: "/auth/passkey?kept=true&return_to=%2Fdomains" });
    const { text } = await createVisitor(app, base).get("/auth/passkey?kept=true&return_to=%2Fdomains");
    expect(text).toContain("Your account is kept");
    expect(text).toContain('href="/domains"');
  });

  it("are limited by address", async () => {
    const ask = () => app.ask("POST", "/auth/passkey/options", { json: {}, address: "198.51.100.77" });
    const statuses = [];
    for (let at = 0; at < 61; at++) statuses.push((await ask()).status);
    expect([statuses[59], statuses[60]]).toEqual([200, 429]);
  });
});

it("serves a page that signs in with its own script only, in the visitor's language", async () => {
  const visitor = createVisitor(app, base);
  const { text, headers } = await visitor.get("/auth/passkey?return_to=https://evil.test/");
  expect(text).toContain('data-return-to="/"');
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; .*script-src 'self'; connect-src 'self';/,
  );
  expect((await visitor.get("/auth/passkey.js")).status).toBe(200);
  expect((await visitor.get("/auth/passkey", { "accept-language": "fr" })).text).toContain("clé d’accès");
});

it("offers passkeys where they work", async () => {
  const of = async (each: typeof app, at: string) => [
    (dataOf(await each.ask("GET", "/auth/providers")) as { passkeys: boolean }).passkeys,
    (await createVisitor(each, at).get("/shorten")).text.includes("/auth/passkey?return_to=%2F"),
  ];
  expect(await of(app, base)).toEqual([true, true]);
  expect(await of(unsupported, "http://api.test")).toEqual([false, false]);
});
