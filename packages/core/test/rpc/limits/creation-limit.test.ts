import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Actor,
  AppError,
  callProcedure,
  type Core,
  type CoreOptions,
  createCore,
} from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { rejection, url } from "../../helpers.ts";
import { redisMissing, startRedis } from "@terse/testkit/redis";

const rateLimits = { anonymous: 2, free: 3, pro: 5, enterprise: 7 };
const at = (address?: string): Actor => ({ kind: "anonymous", address });

async function limitedCore(options: Partial<CoreOptions> = {}) {
  const test = await createTestCore({ rateLimits, ...options });
  onTestFinished(test.close);
  return test;
}

/** Returns how many of several creations succeed; all others are refused by the limit. */
async function allowed(core: Core, actor: Actor, tries: number): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: tries }, () => core.caller(actor).links.create({ url })),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  }
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

describe("link creations per minute", () => {
  it("are limited per account by its plan", async () => {
    const { core, actor } = await limitedCore();
    for (const plan of ["free", "pro", "enterprise"] as const) {
      expect(await allowed(core, await actor(plan), 10)).toBe(rateLimits[plan]);
      expect(await allowed(core, await actor(plan), 10)).toBe(rateLimits[plan]);
    }
  });

  it("are limited per address for callers without an account, and together for all without a known address", async () => {
    const { core } = await limitedCore();
    for (const address of ["192.0.2.1", "192.0.2.2", "2001:db8::/64", undefined]) {
      expect(await allowed(core, at(address), 5)).toBe(2);
    }
    expect(await allowed(core, at(undefined), 1)).toBe(0);
  });

  it("are limited per IPv6 site to ten times as many: a /48 with 65,536 networks is free of charge", async () => {
    const { core } = await limitedCore();
    const made = [];
    for (let network = 0; network < 12; network++) {
      made.push(await allowed(core, at(`2001:db8:1:${network.toString(16)}::/64`), 2));
    }
    expect(made).toEqual([...Array<number>(10).fill(2), 0, 0]);
    expect(await allowed(core, at("2001:db8:2:1::/64"), 2)).toBe(2);
    const ctx = core.createContext(at("2001:db8:1:ffff::/64"));
    expect((await rejection(core.router.createCaller(ctx).links.create({ url }))).message).toContain(
      "20 creations a minute",
    );
    expect(ctx.reply.rateLimit).toMatchObject({ limit: 20, remaining: 0 });
  });

  it("are counted from zero after a change of plan", async () => {
    const { core, actor } = await limitedCore();
    const someone = await actor("free");
    expect(await allowed(core, someone, 4)).toBe(3);
    const account = await core.accounts.setPlan(someone.account.email, "pro");
    expect(await allowed(core, { ...someone, account }, 9)).toBe(5);
  });

  it("report the limit's state for headers, after each success and each refusal", async () => {
    const { core } = await limitedCore();
    const states = [];
    for (let call = 0; call < 4; call++) {
      const ctx = core.createContext(at("192.0.2.9"));
      await core.router
        .createCaller(ctx)
        .links.create({ url })
        .catch(() => {});
      states.push(ctx.reply.rateLimit);
    }
    const state = {
      policy: "link-creation",
      limit: 2,
      window: 60,
      reset: expect.toSatisfy((reset: number) => Number.isInteger(reset) && reset >= 1 && reset <= 60),
    };
    expect(states).toEqual([1, 0, 0, 0].map((remaining) => ({ ...state, remaining })));
  });

  it("are refused with the time until the next one may succeed", async () => {
    const { core } = await limitedCore();
    await allowed(core, at("192.0.2.9"), 2);
    const error = await core
      .caller(at("192.0.2.9"))
      .links.create({ url })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    const { code, message, retryAfter } = error as AppError;
    expect(code).toBe("TOO_MANY_REQUESTS");
    expect(Number.isInteger(retryAfter) && Number(retryAfter) >= 1 && Number(retryAfter) <= 60).toBe(true);
    expect(message).toBe(`Rate limit exceeded: 2 creations a minute; try again in ${retryAfter} s`);
  });

  it("include buckets, domains and keys", async () => {
    const { core, actor } = await limitedCore({ apiKeysPlan: "pro" });
    const { links, buckets, domains, keys } = core.caller(await actor("pro"));
    await buckets.create({ name: "Page", links: [{ title: "Link", url }] });
    await keys.create();
    for (const name of ["one", "two", "three"]) {
      const { id } = await domains.create({ domain: `${name}.example.com` });
      await domains.delete({ id });
    }
    for (const creation of [
      () => domains.create({ domain: "four.example.com" }),
      () => keys.create(),
      () => links.create({ url }),
    ]) {
      expect((await rejection(creation())).code).toBe("TOO_MANY_REQUESTS");
    }
  });

  it("are not counted for the first invalid inputs, too small a plan or other operations", async () => {
    const { core, actor } = await limitedCore();
    const someone = await actor("free");
    const { links } = core.caller(someone);
    for (let call = 0; call < 5; call++) {
      await rejection(links.create({ url: "nonsense" }));
      await rejection(links.create({ url: "http://short.test/loop" }));
    }
    for (let call = 0; call < 20; call++) {
      await rejection(links.create({ url, password: "secret" }));
      await links.list();
    }
    expect(await allowed(core, someone, 10)).toBe(3);
  });

  it("are counted for invalid inputs beyond ten a minute, and then refused before the input is read", async () => {
    const { core, actor } = await limitedCore();
    const account = await actor("free");
    for (const someone of [account, at("192.0.2.1")]) {
      const limit = someone.kind === "account" ? 3 : 2;
      const codes = [];
      for (let call = 0; call < 10 + limit + 1; call++) {
        codes.push((await rejection(core.caller(someone).links.create({ url: "nonsense" }))).code);
      }
      const invalid = Array<string>(10 + limit).fill("BAD_REQUEST");
      expect(codes).toEqual([...invalid, "TOO_MANY_REQUESTS"]);
      expect(await allowed(core, someone, 1)).toBe(0);
    }
    expect(await allowed(core, at("192.0.2.2"), 3)).toBe(2);
    const refused = callProcedure(core.router.links.create, core.createContext(account), () => {
      throw new Error("The input was read");
    });
    expect((await rejection(refused)).code).toBe("TOO_MANY_REQUESTS");
  });

  it("of one IPv6 site are counted together for invalid inputs beyond a hundred", async () => {
    const { core } = await limitedCore();
    const tryFrom = (network: number) =>
      rejection(core.caller(at(`2001:db8:1:${network.toString(16)}::/64`)).links.create({ url: "nonsense" }));
    for (let network = 0; network < 120; network++) expect((await tryFrom(network)).code).toBe("BAD_REQUEST");
    expect((await tryFrom(120)).code).toBe("TOO_MANY_REQUESTS");
  });

  it("are counted for taken slugs: nobody can guess slugs without limit", async () => {
    const { core, actor } = await limitedCore();
    const { links } = core.caller(await actor("free"));
    await links.create({ url, slug: "taken" });
    const codes = [];
    for (let call = 0; call < 4; call++)
      codes.push((await rejection(links.create({ url, slug: "taken" }))).code);
    expect(codes).toEqual(["CONFLICT", "CONFLICT", "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]);
  });

  it("are all refused if the limit is 0", async () => {
    const { core } = await limitedCore({ rateLimits: { anonymous: 0 } });
    expect(await allowed(core, at("192.0.2.9"), 2)).toBe(0);
  });
});

describe.runIf(!redisMissing)("with Redis", () => {
  /** The remaining points after a creation on each node in turn. */
  async function remaining(nodes: readonly Core[], actor: Actor) {
    const left = [];
    for (const node of nodes) {
      const ctx = node.createContext(actor);
      await node.router.createCaller(ctx).links.create({ url });
      left.push(ctx.reply.rateLimit?.remaining);
    }
    return left;
  }

  /** Waits until the nodes share their counts. */
  const untilShared = (nodes: readonly Core[]) =>
    expect.poll(() => remaining(nodes, at(randomUUID())), { timeout: 10_000 }).toEqual([1, 0]);

  async function twoNodes() {
    const redis = await startRedis();
    onTestFinished(redis.kill);
    const test = await limitedCore({ redisUrl: redis.url });
    const second = await createCore({
      databaseUrl: test.databaseUrl,
      shortBase: "http://short.test",
      rateLimits,
      redisUrl: redis.url,
    });
    onTestFinished(() => second.close());
    const nodes = [test.core, second] as const;
    await untilShared(nodes);
    return { redis, nodes, actor: test.actor };
  }

  it("two nodes share the count", async () => {
    const { nodes, actor } = await twoNodes();
    const [one, two] = nodes;
    for (const someone of [at("192.0.2.1"), await actor("free")]) {
      const counts = await Promise.all([allowed(one, someone, 10), allowed(two, someone, 10)]);
      expect(counts[0] + counts[1]).toBe(someone.kind === "anonymous" ? 2 : 3);
    }
  });

  it("two nodes report the same state", async () => {
    const { nodes } = await twoNodes();
    expect(await remaining(nodes, at("192.0.2.1"))).toEqual([1, 0]);
  });

  it("creation works while Redis is down, counted by each node, and is counted together when it is back", async () => {
    const { redis, nodes } = await twoNodes();
    expect(await allowed(nodes[0], at("192.0.2.1"), 5)).toBe(2);
    await redis.kill();
    for (const node of nodes) expect(await allowed(node, at("192.0.2.1"), 5)).toBe(2);
    await redis.restart();
    await untilShared(nodes);
    const counts = await Promise.all(nodes.map((node) => allowed(node, at("192.0.2.7"), 10)));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(2);
  });

  it("creation works while Redis hangs", async () => {
    const { redis, nodes } = await twoNodes();
    redis.freeze();
    for (const node of nodes) expect(await allowed(node, at("192.0.2.1"), 5)).toBe(2);
  });

  it("a core closes if Redis is unreachable", async () => {
    const test = await createTestCore({ redisUrl: "redis://127.0.0.1:1" });
    await test.core.caller(at("192.0.2.1")).links.create({ url });
    await test.close();
  });
});
