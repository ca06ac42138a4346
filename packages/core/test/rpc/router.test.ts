import { png } from "@terse/testkit/png";
import { startDns } from "@terse/testkit/dns";
import { afterAll, describe, expect, it } from "vitest";
import {
  type Actor,
  appRouter,
  planNames,
  planWith,
  proceduresOf,
  type Scope,
  scopes,
  toFailure,
} from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import {
  allThings,
  call,
  derivedStatuses,
  fixtureOf,
  fixtures,
  idsOf,
  type Operation,
  operations as operationsOf,
  refusedInput,
  seed,
  type Things,
  unknownId,
  unknownIds,
} from "../fixtures.ts";
import { anonymous, clickOn, rejection } from "../helpers.ts";

const dns = await startDns();
const { core, actor, close } = await createTestCore({ dnsServers: [dns.address] });
afterAll(async () => {
  await close();
  await dns.close();
});

describe("the router", () => {
  it("has a fixture for every procedure, and no other", () => {
    const names = proceduresOf(appRouter).map(([name]) => name);
    for (const name of names) fixtureOf(name);
    expect([...fixtures.keys()].toSorted()).toEqual(names.toSorted());
  });
});

const operations = operationsOf();
const inRest = operations.filter(({ meta }) => meta.openapi);

it("gives every procedure its own method and path in the REST API", () => {
  const places = inRest.map(
    ({ meta }) => `${meta.openapi?.method} ${meta.openapi?.path.replaceAll(/\{\w+\}/g, "{}")}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

describe.each(inRest)("$name in the REST API", ({ meta, type }) => {
  it("has a path, a summary and a tag", () => {
    expect(meta.openapi).toMatchObject({
      method: expect.stringMatching(/^(GET|POST|PUT|PATCH|DELETE)$/),
      path: expect.stringMatching(/^\/v1\/[a-z/{}_-]+$/),
      summary: expect.stringMatching(/^[A-Z].+[^.]$/),
      tags: [expect.stringMatching(/./)],
      successDescription: expect.stringMatching(/./),
    });
  });

  it("is a GET exactly if it is a query", () => {
    expect(type === "query").toBe(meta.openapi?.method === "GET");
  });
});

/** "anyone", "account" or a plan's name: what a fixture says of who may call, from the procedure's definition */
function accessOf({ meta: { access } }: Operation): string {
  if (access.credential === "optional") return "anyone";
  return access.feature ? planWith(core.plans, access.feature) : "account";
}

const world = (own: Partial<Things>) => ({
  core,
  dns,
  own: own as Things,
  another: async () => core.caller(await actor("enterprise")),
});

describe.each(operations)("$name", (operation) => {
  const { name, meta, fields, fixture } = operation;
  const { access } = meta;

  it("lets in those whom its fixture names, and declares what it answers", () => {
    expect({ file: fixture.file, access: accessOf(operation) }).toEqual({
      file: fixture.file,
      access: fixture.access,
    });
    expect(operation.output).toBeDefined();
  });

  const takesFields = Object.keys(fields).some((field) => !meta.openapi?.path.includes(`{${field}}`));
  if (meta.openapi) {
    const documented = [
      ...(meta.openapi.errors ?? []),
      ...(takesFields || operation.refusesUnknown ? [400] : []),
    ];
    it("documents the statuses of its fixture's refusals, and no other that does not follow from its definition", () => {
      const own = documented.filter((status) => !derivedStatuses.includes(status));
      for (const status of own)
        expect(
          fixture.refusals,
          `${fixture.file} has no refusal with the documented status ${status}`,
        ).toHaveProperty(String(status));
      for (const status of Object.keys(fixture.refusals).map(Number))
        expect(documented, `${name} does not document the status ${status} of its fixture`).toContain(status);
    });
  }

  if (access.credential !== "optional") {
    it("refuses callers without an account before it looks at the input", async () => {
      for (const input of [undefined, {}, { id: unknownId }, "nonsense", fixture.input(unknownIds)]) {
        expect(await rejection(call(core, name, anonymous, input))).toEqual({
          code: "UNAUTHORIZED",
          message: "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
        });
      }
    });
  }

  it("refuses keys without its scope before it looks at the input, and no others", async () => {
    const needed = [meta.scope ?? []].flat();
    expect(needed.length, `${name} has no scope in its meta`).toBeGreaterThan(0);
    const caller = await actor("enterprise");
    const withScopes = (granted: readonly Scope[]): Actor => ({
      ...caller,
      credential: "key",
      key: { id: unknownId, scopes: granted, expires_at: null },
    });
    const others = withScopes(scopes.filter((scope) => !needed.includes(scope)));
    for (const input of [undefined, { id: 7 }, "nonsense", fixture.input(unknownIds)]) {
      const error = await call(core, name, others, input).catch((thrown: unknown) => thrown);
      expect(toFailure(error)).toMatchObject({
        status: 403,
        code: "FORBIDDEN",
        message: `This API key needs the scope ${needed.join(" or ")}`,
        retryAfter: undefined,
        scope: needed[0],
      });
    }
    for (const scope of needed) {
      const own = await seed(core, caller.account, fixture.uses);
      const answer = call(core, name, withScopes([scope]), fixture.input(idsOf(own)));
      const failure = await answer.then(() => undefined, toFailure);
      expect(failure?.scope).toBeUndefined();
    }
  });

  const { feature } = access;
  if (feature) {
    const needed = planWith(core.plans, feature);
    const smaller = planNames.slice(0, planNames.indexOf(needed));
    it.each(smaller)("refuses the plan %s before it looks at the input", async (plan) => {
      const caller = await actor(plan);
      for (const input of [undefined, {}, { id: 7 }, "nonsense", fixture.input(unknownIds)]) {
        expect(await rejection(call(core, name, caller, input))).toEqual({
          code: "FORBIDDEN",
          message: `${core.plans[needed].title} plan required`,
        });
      }
    });
  }

  if (operation.takesInput) {
    it("refuses an input that is not an object", async () => {
      const caller = await actor("enterprise");
      for (const input of [7, "text", [], true])
        expect((await rejection(call(core, name, caller, input))).code).toBe("BAD_REQUEST");
    });
  }

  if (takesFields && ["POST", "PUT", "PATCH"].includes(meta.openapi?.method ?? "")) {
    it("refuses an unknown field, naming it and the known ones", async () => {
      const caller = await actor("enterprise");
      const input = { ...fixture.input(unknownIds), expires: "2030-01-01" };
      const { code, message } = await rejection(call(core, name, caller, input));
      expect([code, message]).toEqual([
        "BAD_REQUEST",
        expect.stringMatching(/^expires: no such field; the known ones are [a-z_]+(, [a-z_]+)*$/),
      ]);
    });
  }

  for (const [status, refusals] of Object.entries(fixture.refusals)) {
    it.each(refusals)(`refuses with ${status}: $error`, async (refusal) => {
      const caller = await actor("enterprise");
      const own = await seed(core, caller.account, fixture.uses);
      const input = await refusedInput(fixture, refusal, world(own));
      const refused = call(core, name, caller, input).catch((error: unknown) => toFailure(error));
      const message =
        typeof refusal.error === "string" ? refusal.error : expect.stringMatching(refusal.error);
      expect(await refused).toMatchObject({ status: Number(status), message });
    });
  }

  if (fixture.uses.length > 0) {
    it("answers its owner; to others, the id is one that never existed", async () => {
      const owner = await actor("enterprise");
      const intruder = await actor("enterprise");
      const own = await seed(core, owner.account, fixture.uses);
      const before = await everythingOf(owner);
      const refusalOf = async (ids: typeof unknownIds) => {
        const answer = call(core, name, intruder, fixture.input(ids));
        return fixture.leavesOut ? answer : rejection(answer);
      };
      const theirs = await refusalOf(idsOf(own));
      if (!fixture.leavesOut) expect(theirs).toMatchObject({ code: "NOT_FOUND" });
      expect(theirs).toEqual(await refusalOf(unknownIds));
      const nonsense = Object.fromEntries(allThings.map((thing) => [thing, "nonsense"]));
      expect(theirs).toEqual(await refusalOf(nonsense as typeof unknownIds));
      expect(await everythingOf(owner)).toEqual(before);
      await expect(call(core, name, owner, fixture.input(idsOf(own)))).resolves.toBeDefined();
    });
  } else {
    it("shows and changes nothing of other accounts", async () => {
      const victim = await victimWithEverything();
      const before = await everythingOf(victim.actor);
      const given = await call(core, name, await actor("enterprise"), fixture.input(unknownIds));
      if (Array.isArray(given)) expect(given).toHaveLength(fixture.hasOneself ? 1 : 0);
      if (operation.page) expect(given).toMatchObject({ data: [], meta: { total: 0 } });
      const answer = await textOf(given);
      for (const trace of victim.traces) expect(answer).not.toContain(trace);
      expect(await everythingOf(victim.actor)).toEqual(before);
      if (operation.type === "mutation" || fixture.isAboutAll) return;
      const own = await textOf(await call(core, name, victim.actor, fixture.input(unknownIds)));
      if (fixture.figuresOnly) expect(own).not.toEqual(answer);
      else expect(victim.traces.some((trace) => own.includes(trace))).toBe(true);
    });
  }
});

/** Shared by the tests that only look at it, since it takes a drain of the click log to make. */
let madeVictim: ReturnType<typeof makeVictim> | undefined;
const victimWithEverything = () => (madeVictim ??= makeVictim());

async function makeVictim() {
  const victim = await actor("enterprise");
  const own = await seed(core, victim.account, allThings);
  await core.clicks.record(clickOn(own.link.id));
  await core.caller(victim).preferences.update({ reports: { frequency: "weekly" } });
  await core.caller(victim).links.setQrLogo({ image: png(4, 4).toString("base64") });
  const { id, email } = victim.account;
  const traces = [id, email, own.link.slug, own.bucket.slug, ...Object.values(idsOf(own))];
  return { actor: victim, traces };
}

/** What an account can read of itself */
async function everythingOf(owner: Actor) {
  const { links, buckets, keys, sessions, users, domains } = core.caller(owner);
  return [
    await links.list({}),
    await buckets.list(),
    await keys.list(),
    await sessions.list(),
    await users.me(),
    await users.updateConsents({}),
    await domains.list(),
  ];
}

/** An answer as text; that of a file which is made while it is sent, too */
async function textOf(answer: unknown): Promise<string> {
  const { body } = answer as { body?: AsyncIterable<string> };
  if (typeof body !== "object") return JSON.stringify(answer);
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}
