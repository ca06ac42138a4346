import { afterAll, describe, expect, it } from "vitest";
import {
  type Actor,
  appRouter,
  type Definition,
  definitionOf,
  planNames,
  planWith,
  proceduresOf,
} from "../../src/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
import { anonymous, rejection, unknownId, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

const procedures = proceduresOf(appRouter).map(
  ([name, procedure]) => [name, definitionOf(procedure)] as const,
);
/** Those with a place in the REST API; the others are for doors that REST has no path for. */
const placed = procedures.filter(([, { meta }]) => meta.openapi);
const takesId = ({ fields }: Definition) => "id" in fields;

/** Calls a procedure by its name, as transports do. */
async function call(name: string, as: Actor, input: unknown): Promise<unknown> {
  let target: unknown = core.caller(as);
  for (const part of name.split(".")) target = (target as Record<string, unknown>)[part];
  return (target as (input: unknown) => Promise<unknown>)(input);
}

describe("the router", () => {
  it("has exactly these procedures, each at its place in the REST API where it has one", () => {
    const places = procedures.map(
      ([name, { type, meta }]) =>
        `${name} ${type} ${meta.openapi ? `${meta.openapi.method} ${meta.openapi.path}` : "without a place"}`,
    );
    expect(places.toSorted()).toEqual([
      "analytics.dailyStats query without a place",
      "analytics.export query GET /v1/analytics/export",
      "analytics.link query GET /v1/analytics/link/{id}",
      "analytics.overview query GET /v1/analytics/overview",
      "analytics.realtime query GET /v1/analytics/realtime",
      "buckets.create mutation POST /v1/buckets",
      "buckets.delete mutation DELETE /v1/buckets/{id}",
      "buckets.get query GET /v1/buckets/{id}",
      "buckets.list query GET /v1/buckets",
      "buckets.stats query GET /v1/buckets/{id}/stats",
      "buckets.update mutation PUT /v1/buckets/{id}",
      "domains.create mutation POST /v1/domains",
      "domains.delete mutation DELETE /v1/domains/{id}",
      "domains.list query GET /v1/domains",
      "domains.verify query GET /v1/domains/{id}/verify",
      "keys.create mutation POST /v1/keys",
      "keys.delete mutation DELETE /v1/keys/{id}",
      "keys.list query GET /v1/keys",
      "links.create mutation POST /v1/links",
      "links.delete mutation DELETE /v1/links/{id}",
      "links.explain query GET /v1/links/{id}/explain",
      "links.get query GET /v1/links/{id}",
      "links.list query GET /v1/links",
      "links.locate query without a place",
      "links.qr query GET /v1/links/{id}/qr",
      "links.update mutation PUT /v1/links/{id}",
      "sessions.end mutation DELETE /v1/me/sessions/{id}",
      "sessions.endAll mutation DELETE /v1/me/sessions",
      "sessions.list query GET /v1/me/sessions",
      "users.me query GET /v1/me",
      "users.updateConsents mutation PATCH /v1/me/consents",
    ]);
  });

  it("gives every procedure a place of its own", () => {
    const places = placed.map(
      ([, { meta }]) => `${meta.openapi?.method} ${meta.openapi?.path.replaceAll(/\{\w+\}/g, "{}")}`,
    );
    expect(new Set(places).size).toBe(places.length);
  });
});

describe.each(placed)("%s", (_name, { meta, type }) => {
  it("says where it stands in the REST API", () => {
    expect(meta.openapi).toMatchObject({
      method: expect.stringMatching(/^(GET|POST|PUT|PATCH|DELETE)$/),
      path: expect.stringMatching(/^\/v1\/[a-z/{}]+$/),
      summary: expect.stringMatching(/^[A-Z].+[^.]$/),
      tags: [expect.stringMatching(/./)],
      successDescription: expect.stringMatching(/./),
    });
  });

  it("reads by GET, and by nothing else", () => {
    expect(type === "query").toBe(meta.openapi?.method === "GET");
  });
});

describe.each(procedures)("%s", (name, definition) => {
  const { access } = definition.meta;

  it("says who may call it and what it answers", () => {
    expect(["optional", "required"]).toContain(access.credential);
    expect(definition.output).toBeDefined();
  });
  if (access.credential === "required") {
    it.each([undefined, {}, { id: unknownId }, "nonsense"])(
      "refuses callers without an account, whatever they send: %j",
      async (input) => {
        expect(await rejection(call(name, anonymous, input))).toEqual({
          code: "UNAUTHORIZED",
          message: "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
        });
      },
    );
  }

  const { feature } = access;
  if (feature) {
    const needed = planWith(core.plans, feature);
    const smaller = planNames.slice(0, planNames.indexOf(needed));
    it.each(smaller)("refuses the plan %s before it looks at the input", async (plan) => {
      const someone = await actor(plan);
      for (const input of [undefined, {}, { id: 7 }, "nonsense"]) {
        expect(await rejection(call(name, someone, input))).toEqual({
          code: "FORBIDDEN",
          message: `${core.plans[needed].title} plan required`,
        });
      }
    });
  }

  if (definition.takesInput) {
    it.each([7, "text", [], true])("refuses %j as its input", async (input) => {
      const someone = await actor("enterprise");
      expect((await rejection(call(name, someone, input))).code).toBe("BAD_REQUEST");
    });
  }

  if (["POST", "PUT", "PATCH"].includes(definition.meta.openapi?.method ?? "")) {
    it("refuses a field that it does not know, and names it and those it knows", async () => {
      const someone = await actor("enterprise");
      const { code, message } = await rejection(call(name, someone, { expires: "2030-01-01" }));
      expect([code, message]).toEqual([
        "BAD_REQUEST",
        expect.stringMatching(/^expires: no such field; the known ones are [a-z_]+(, [a-z_]+)*$/),
      ]);
    });
  }

  if (takesId(definition)) {
    it("answers for another account's id exactly as for one that never was", async () => {
      const owner = await actor("enterprise");
      const intruder = await actor("enterprise");
      const resource = name.split(".")[0];
      const makers: Record<string, () => Promise<{ id: string }>> = {
        domains: () => core.caller(owner).domains.create({ domain: "go.example.com" }),
        keys: () => core.caller(owner).keys.create({}),
        buckets: () =>
          core.caller(owner).buckets.create({ name: "A page", links: [{ title: "A link", url }] }),
        sessions: () => core.sessions.create(owner.account.id),
      };
      const { id } = await (makers[resource ?? ""] ?? (() => core.caller(owner).links.create({ url })))();
      const dates = name === "analytics.dailyStats" && { from: "2026-01-01", to: "2026-01-31" };
      const inputOf = (some: string) => ({ id: some, ...dates });
      const theirs = await rejection(call(name, intruder, inputOf(id)));
      expect(theirs.code).toBe("NOT_FOUND");
      expect(theirs).toEqual(await rejection(call(name, intruder, inputOf(unknownId))));
      expect(theirs).toEqual(await rejection(call(name, intruder, inputOf("nonsense"))));
    });
  }
});
