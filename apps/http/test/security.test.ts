import { type Plan, planNames } from "@terse/core";
import { operations, unknownId, unknownIds } from "@terse/core/fixtures";
import { describe, expect, it } from "vitest";
import { type Answer, type Ask, baseUrl, errorOf, startApp } from "./client.ts";
import { restRequest } from "./rest-request.ts";
import { seedAccount } from "./seeded-account.ts";

// What a credential is worth is decided in one place for each door, and tried here on one query and one mutation.
// Then every procedure is asked once whether it is behind that place. Plans and tenancy of every procedure are tried in
// packages/core/test/rpc/router.test.ts and apps/standalone/test/access.test.ts.

const app = await startApp();
const { core } = app;
const procedures = operations();
type Procedure = (typeof procedures)[number];
type Door = (procedure: Procedure, input: Record<string, unknown>, ask: Ask) => Promise<Answer>;

const overRest: Door = ({ meta, name }, input, ask) => {
  if (!meta.openapi) throw new Error(`${name} has no path in the REST API`);
  const [method, path, body] = restRequest(meta.openapi, input);
  return app.ask(method, path, { ...body, ...ask });
};
const overTrpc: Door = async ({ name }, input, ask) => {
  const answer = await app.askTrpc(name, input, ask);
  // Plain JSON cannot carry a stream: tRPC answers 415 once nothing else is wrong.
  return answer.status === 415 ? app.askTrpcStream(name, input, ask) : answer;
};
const doors: [name: string, procedures: Procedure[], call: Door][] = [
  ["REST", procedures.filter(({ meta }) => meta.openapi), overRest],
  ["tRPC", procedures, overTrpc],
];

const procedure = (name: string) => procedures.find((known) => known.name === name) as Procedure;
const query = procedure("users.me");
const mutation = procedure("users.updateConsents");
const isSuccess = ({ status }: Answer) => status === 200 || status === 201;
const unauthorized = [401, 'Bearer realm="terse"'];
const statusOf = (answer: Answer) => [answer.status, answer.headers.get("www-authenticate")];

describe.each(doors)("over %s", (_door, reachable, call) => {
  describe("a credential", () => {
    it.each<[string, () => Promise<Ask>]>([
      ["an unknown key", async () => ({ key: "terse_unknown" })],
      [
        "a revoked key",
        async () => {
          const { key, keyId } = await seedAccount(app, []);
          await core.keys.revoke(keyId);
          return { key };
        },
      ],
      ["an unknown session", async () => ({ cookie: "unknown" })],
      [
        "an ended session",
        async () => {
          const { cookie } = await seedAccount(app, []);
          await core.sessions.end(cookie);
          return { cookie };
        },
      ],
      [
        "a bad key beside a valid session",
        async () => ({ cookie: (await seedAccount(app, [])).cookie, key: "terse_unknown" }),
      ],
      ["a session token as a key", async () => ({ key: (await seedAccount(app, [])).cookie })],
      ["a key as a session", async () => ({ cookie: (await seedAccount(app, [])).key })],
    ])("is refused if it is %s, even where none is needed", async (_what, credential) => {
      const ask = await credential();
      for (const { fixture, ...rest } of [query, mutation, procedure("links.create")])
        expect(statusOf(await call({ fixture, ...rest }, fixture.input(unknownIds), ask))).toEqual(
          unauthorized,
        );
    });

    it("is the key's if a valid session of another account comes with it", async () => {
      const [byKey, bySession] = [await seedAccount(app, []), await seedAccount(app, [])];
      const { text } = await call(query, {}, { key: byKey.key, cookie: bySession.cookie });
      expect(text).toContain(byKey.account.email);
      expect(text).not.toContain(bySession.account.email);
    });

    it("of a session that has expired is refused", async () => {
      let now = new Date("2026-01-01T00:00:00Z");
      const later = await startApp({ clock: () => now });
      const { token } = await later.core.sessions.create((await later.account()).id);
      const ask = async () =>
        (call === overRest
          ? await later.ask("GET", "/v1/me", { cookie: token })
          : await later.askTrpc("users.me", {}, { cookie: token })
        ).status;
      expect(await ask()).toBe(200);
      now = new Date("2026-01-31T00:00:01Z");
      expect(await ask()).toBe(401);
    });
  });

  it("a key that has expired is refused, with the reason", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const later = await startApp({ clock: () => now });
    const expires_at = "2026-01-01T00:00:01Z";
    const { key } = await later.core.keys.issue((await later.account()).id, "Short", { expires_at });
    const ask = async () =>
      call === overRest ? later.ask("GET", "/v1/me", { key }) : later.askTrpc("users.me", {}, { key });
    expect((await ask()).status).toBe(200);
    now = new Date(expires_at);
    const refused = await ask();
    expect([...statusOf(refused), errorOf(refused)]).toEqual([
      ...unauthorized,
      "The API key has expired: create another one",
    ]);
  });

  it("a key without the scope is refused, and the answer names the scope", async () => {
    const { id } = await app.account("enterprise");
    const { key } = await core.keys.issue(id, "Reader", { scopes: ["links:read"] });
    expect((await call(procedure("links.list"), {}, { key })).status).toBe(200);
    for (const name of ["links.create", "users.me"]) {
      const called = procedure(name);
      const refused = await call(called, called.fixture.input(unknownIds), { key });
      const scope = name === "users.me" ? "account" : "links:write";
      expect([...statusOf(refused), errorOf(refused)]).toEqual([
        403,
        `Bearer realm="terse", error="insufficient_scope", scope="${scope}"`,
        `This API key needs the scope ${scope}`,
      ]);
    }
  });

  it("a key that was made here stops when the plan no longer includes keys", async () => {
    const { cookie, account } = await seedAccount(app, []);
    const made = await call(procedure("keys.create"), {}, { cookie });
    const [, key = ""] = /"key":"([^"]+)"/.exec(made.text) ?? [];
    expect((await call(query, {}, { key })).status).toBe(200);
    await core.accounts.setPlan(account.email, "pro");
    const refused = await call(query, {}, { key });
    expect([refused.status, errorOf(refused)]).toEqual([
      403,
      "The account's plan no longer includes this API key: it works again on the Enterprise plan",
    ]);
  });

  const allowed: [name: string, plans: readonly Plan[]][] = [
    ["links.create", planNames],
    ["users.me", planNames],
    ["buckets.list", ["pro", "enterprise"]],
    ["keys.list", ["enterprise"]],
  ];
  it.each(allowed)("%s is open to the plans %j, by key and by cookie", async (name, plans) => {
    const called = procedure(name);
    for (const plan of planNames) {
      const { key, cookie } = await seedAccount(app, [], plan);
      for (const credential of [{ key }, { cookie }]) {
        const answer = await call(called, called.fixture.input(unknownIds), credential);
        if (plans.includes(plan)) expect(isSuccess(answer), answer.text).toBe(true);
        else
          expect([answer.status, errorOf(answer)]).toEqual([
            403,
            `${called.fixture.access === "pro" ? "Pro" : "Enterprise"} plan required`,
          ]);
      }
    }
  });

  it.each([
    { from: "a foreign origin", headers: { Origin: "https://evil.example" }, own: false },
    { from: "a page without an origin", headers: { Origin: "null" }, own: false },
    { from: "the same host on another port", headers: { Origin: `${baseUrl}:8080` }, own: false },
    { from: "another site", headers: { "Sec-Fetch-Site": "cross-site" }, own: false },
    { from: "a sibling host", headers: { "Sec-Fetch-Site": "same-site", Origin: baseUrl }, own: false },
    { from: "our own origin", headers: { Origin: baseUrl }, own: true },
    { from: "our own pages", headers: { "Sec-Fetch-Site": "same-origin", Origin: baseUrl }, own: true },
    { from: "the address bar", headers: { "Sec-Fetch-Site": "none" }, own: true },
  ])("a cookie from $from may read, and change things only if that is us; a key may both", async (row) => {
    const { headers, own } = row;
    const { key, cookie } = await seedAccount(app, []);
    for (const called of [query, mutation]) {
      const input = called.fixture.input(unknownIds);
      const byCookie = await call(called, input, { cookie, headers });
      expect(byCookie.status).toBe(called === query || own ? 200 : 403);
      expect((await call(called, input, { key, headers })).status).toBe(200);
    }
  });

  // With a bad credential no procedure runs, so that none needs anything seeded.
  it.each(reachable)("$name is behind all of these checks", async (called) => {
    const input = called.fixture.input(unknownIds);
    const isPublic = called.meta.access.credential === "optional";
    if (!isPublic) expect(statusOf(await call(called, input, {}))).toEqual(unauthorized);
    for (const credential of [{ key: "terse_unknown" }, { cookie: "unknown" }])
      expect(statusOf(await call(called, input, credential))).toEqual(unauthorized);
    if (called.type !== "mutation") return;
    const headers = { Origin: "https://evil.example" };
    const foreign = await call(called, input, { cookie: sharedCookie, headers });
    expect([foreign.status, errorOf(foreign)]).toEqual([
      403,
      `Requests signed in by cookie must come from ${baseUrl}`,
    ]);
  });

  it.each(["links.get", "links.delete", "buckets.update"])(
    "%s answers another account's id byte for byte like an unknown id, and changes nothing",
    async (name) => {
      const called = procedure(name);
      const victim = await seedAccount(app);
      const attacker = await seedAccount(app, []);
      const before = await everythingOf(victim.actor);
      for (const credential of [{ key: attacker.key }, { cookie: attacker.cookie }]) {
        const theirs = await call(called, called.fixture.input(victim.ids), credential);
        const unknown = await call(called, called.fixture.input(unknownIds), credential);
        expect(theirs.status).toBe(404);
        expect(bytesOf(theirs)).toEqual(bytesOf(unknown));
      }
      expect(await everythingOf(victim.actor)).toEqual(before);
    },
  );
});

const { cookie: sharedCookie } = await seedAccount(app, []);

/** Everything of an answer except its request's id */
function bytesOf({ status, headers, text }: Answer) {
  const compared = Object.fromEntries(headers);
  delete compared["x-request-id"];
  return { status, text, headers: compared };
}

async function everythingOf(actor: Awaited<ReturnType<typeof seedAccount>>["actor"]) {
  const { links, buckets } = core.caller(actor);
  return [await links.list({}), await buckets.list()];
}

it("answers for a link without an account as for an unknown id", async () => {
  const link = await core.caller({ kind: "anonymous" }).links.create({ url: "https://example.com/" });
  const { key } = await seedAccount(app, []);
  const [theirs, unknown] = await Promise.all(
    [link.id, unknownId].map((id) => app.ask("DELETE", `/v1/links/${id}`, { key })),
  );
  expect(bytesOf(theirs as Answer)).toEqual(bytesOf(unknown as Answer));
});

it("browsers must use https if BASE_URL does", async () => {
  const secure = await startApp({ base: "https://api.test" });
  for (const path of ["/", "/health", "/v1/links", "/v1/nope", "/docs", "/trpc/links.list"]) {
    const answers = [await app.ask("GET", path), await secure.ask("GET", path)];
    const policies = answers.map(({ headers }) => headers.get("strict-transport-security"));
    expect(policies).toEqual([null, "max-age=31536000"]);
  }
});
