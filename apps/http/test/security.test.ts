import { planNames, type Plan, type PlanTable } from "@terse/core";
import { describe, expect, it } from "vitest";
import { type Answer, type Ask, baseUrl, errorOf, definitionsOf, startApp } from "./client.ts";
import { domainFor, type Ids, noIds, restRequest, sampleOf, unknownId } from "./samples.ts";

const app = await startApp();
const { core } = app;
const procedures = Object.entries(definitionsOf(core.router)).map(([name, { type, meta }]) => ({
  name,
  type,
  ...meta,
}));
type Procedure = (typeof procedures)[number];
type Door = (procedure: Procedure, input: Record<string, unknown>, ask: Ask) => Promise<Answer>;

const overRest: Door = ({ openapi, name }, input, ask) => {
  if (!openapi) throw new Error(`${name} has no place in the REST API`);
  const [method, path, body] = restRequest(openapi, input);
  return app.ask(method, path, { ...body, ...ask });
};
const overTrpc: Door = async ({ name }, input, ask) => {
  const answer = await app.askTrpc(name, input, ask);
  // What is streamed has no place in plain JSON, which shows when nothing else is in its way.
  return answer.status === 415 ? app.askTrpcStream(name, input, ask) : answer;
};

/** The ways in, and the procedures that each leads to */
const doors: [name: string, procedures: Procedure[], call: Door][] = [
  ["REST", procedures.filter(({ openapi }) => openapi), overRest],
  ["tRPC", procedures, overTrpc],
];

/** An account with one thing of each kind, and both of its credentials */
async function resident(plan: Plan, operation = "") {
  const account = await app.account(plan);
  const { key, id: keyId } = await core.keys.issue(account.id, "its own");
  const { token } = await core.sessions.create(account.id);
  const actor = { kind: "account", account, credential: "internal" } as const;
  const link = await core.caller(actor).links.create({ url: "https://example.com/own" });
  // Made when the account was on a larger plan.
  const larger = { ...actor, account: { ...account, plan: "enterprise" as const } };
  const bucket = await core.caller(larger).buckets.create({
    name: "Its own",
    links: [{ title: "Own", url: "https://example.com/own" }],
  });
  const spare = await core.keys.issue(account.id, "to be revoked");
  const session = await core.sessions.create(account.id);
  const domain = await domainFor(operation, core, account);
  const ids: Ids = { link: link.id, bucket: bucket.id, key: spare.id, session: session.id, domain };
  return { actor, ids, keyId, credentials: { key: { key }, cookie: { cookie: token } } as const, token, key };
}

const allowed = (plans: PlanTable, plan: Plan, { access }: Procedure) =>
  access.feature === undefined || plans[plan].features[access.feature];

describe.each(doors)("over %s", (_door, reachable, call) => {
  describe.each(reachable)("$name", (procedure) => {
    const success = (answer: Answer) => answer.status === 200 || answer.status === 201;

    it("answers a caller without a credential as its access rule says", async () => {
      const answer = await call(procedure, sampleOf(procedure.name, noIds), {});
      if (procedure.access.credential === "optional") expect(success(answer)).toBe(true);
      else expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, expect.any(String)]);
    });

    it.each<[string, () => Promise<Ask>]>([
      ["an unknown key", async () => ({ key: "terse_nobody" })],
      [
        "a key that was revoked",
        async () => {
          const { credentials, keyId } = await resident("enterprise");
          await core.keys.revoke(keyId);
          return credentials.key;
        },
      ],
      ["an unknown session", async () => ({ cookie: "nobody" })],
      [
        "a session that was ended",
        async () => {
          const { credentials, token } = await resident("enterprise");
          await core.sessions.end(token);
          return credentials.cookie;
        },
      ],
      [
        "a bad key, whatever session comes with it",
        async () => {
          const { credentials } = await resident("enterprise");
          return { ...credentials.cookie, key: "terse_nobody" };
        },
      ],
    ])("refuses %s", async (_what, credential) => {
      const answer = await call(procedure, sampleOf(procedure.name, noIds), await credential());
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="terse"']);
    });

    it.each(planNames.flatMap((plan) => (["key", "cookie"] as const).map((carrier) => ({ plan, carrier }))))(
      "answers an account of plan $plan by $carrier as the plan table says",
      async ({ plan, carrier }) => {
        const { credentials, ids } = await resident(plan, procedure.name);
        const answer = await call(procedure, sampleOf(procedure.name, ids), credentials[carrier]);
        if (allowed(core.plans, plan, procedure)) expect(success(answer)).toBe(true);
        else {
          expect(answer.status).toBe(403);
          expect(errorOf(answer)).toMatch(/^(Pro|Enterprise) plan required$/);
        }
      },
    );

    const unsafe = procedure.type === "mutation";
    it.each([
      { from: "a foreign origin", headers: { Origin: "https://evil.example" }, own: false },
      { from: "a page without an origin", headers: { Origin: "null" }, own: false },
      { from: "the same host on another port", headers: { Origin: `${baseUrl}:8080` }, own: false },
      { from: "another site", headers: { "Sec-Fetch-Site": "cross-site" }, own: false },
      { from: "a sibling host", headers: { "Sec-Fetch-Site": "same-site", Origin: baseUrl }, own: false },
      { from: "our own origin", headers: { Origin: baseUrl }, own: true },
      { from: "our own pages", headers: { "Sec-Fetch-Site": "same-origin", Origin: baseUrl }, own: true },
      { from: "the address bar", headers: { "Sec-Fetch-Site": "none" }, own: true },
    ])("takes a cookie from $from only where that is safe, a key always", async ({ headers, own }) => {
      const { credentials, ids } = await resident("enterprise", procedure.name);
      const input = () => sampleOf(procedure.name, ids);
      const byCookie = await call(procedure, input(), { ...credentials.cookie, headers });
      expect(byCookie.status === 403).toBe(unsafe && !own);
      const fresh = await resident("enterprise", procedure.name);
      const byKey = await call(procedure, sampleOf(procedure.name, fresh.ids), {
        ...fresh.credentials.key,
        headers,
      });
      expect(success(byKey)).toBe(true);
    });
  });

  it.each(reachable.filter(({ name }) => "id" in sampleOf(name, noIds)))(
    "$name answers another account's id byte for byte like an id that never was, and leaves the thing alone",
    async (procedure) => {
      const victim = await resident("enterprise", procedure.name);
      const attacker = await resident("enterprise");
      const before = await inventory(victim.actor);
      for (const credential of Object.values(attacker.credentials)) {
        const theirs = await call(procedure, sampleOf(procedure.name, victim.ids), credential);
        const nobodys = await call(procedure, sampleOf(procedure.name, noIds), credential);
        expect(theirs.status).toBe(404);
        expect(bytesOf(theirs)).toEqual(bytesOf(nobodys));
      }
      expect(await inventory(victim.actor)).toEqual(before);
    },
  );
});

/** Everything of an answer but the name of its request */
function bytesOf({ status, headers, text }: Answer) {
  const compared = Object.fromEntries(headers);
  delete compared["x-request-id"];
  return { status, text, headers: compared };
}

async function inventory(actor: Awaited<ReturnType<typeof resident>>["actor"]) {
  const { links, buckets, keys, sessions, users, domains } = core.caller(actor);
  const known = (await keys.list()).map(({ id, name, prefix }) => ({ id, name, prefix }));
  const open = (await sessions.list()).length;
  return [await links.list({}), await buckets.list(), known, open, await users.me(), await domains.list()];
}

it("shows a list of one account's things to nobody else", async () => {
  const victim = await resident("enterprise", "domains.verify");
  const { key } = await resident("enterprise");
  for (const path of ["/v1/links?search=example.com", "/v1/buckets", "/v1/keys", "/v1/domains"]) {
    const { text } = await app.ask("GET", path, { key });
    expect(text).not.toContain(victim.ids.link);
    expect(text).not.toContain(victim.ids.bucket);
    expect(text).not.toContain(victim.ids.key);
    expect(text).not.toContain(victim.ids.domain);
  }
});

it("answers an anonymous link like an id that never was", async () => {
  const link = await core.caller({ kind: "anonymous" }).links.create({ url: "https://example.com/" });
  const { key } = await resident("enterprise");
  const [theirs, nobodys] = await Promise.all(
    [link.id, unknownId].map((id) => app.ask("DELETE", `/v1/links/${id}`, { key })),
  );
  expect(bytesOf(theirs as Answer)).toEqual(bytesOf(nobodys as Answer));
});

it("refuses a session past its time", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const later = await startApp({ clock: () => now });
  const { token } = await later.core.sessions.create((await later.account()).id);
  expect((await later.ask("GET", "/v1/me", { cookie: token })).status).toBe(200);
  now = new Date("2026-01-31T00:00:01Z");
  expect((await later.ask("GET", "/v1/me", { cookie: token })).status).toBe(401);
});

it("takes a plan that changed with the next request", async () => {
  const { key, actor } = await resident("free");
  expect((await app.ask("GET", "/v1/keys", { key })).status).toBe(403);
  await core.accounts.setPlan(actor.account.email, "enterprise");
  expect((await app.ask("GET", "/v1/keys", { key })).status).toBe(200);
});
