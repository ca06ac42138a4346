import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Core } from "../../src/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
import { depsOf, dump, unknownId as link } from "../helpers.ts";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { anotherCore } from "../redirects/helpers.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

const client = "192.0.2.77";

async function testCore() {
  const test = await createTestCore();
  onTestFinished(test.close);
  return test;
}

/** How many of so many guesses at once are free. */
async function free(cores: Core[], tries: number, of = client, at = link): Promise<number> {
  const takes = cores.flatMap((core) =>
    Array.from({ length: tries }, () => core.passwordAttempts.take(at, of)),
  );
  return (await Promise.all(takes)).filter((wait) => wait === null).length;
}

/** Waits until the nodes count together. */
const untilShared = (nodes: Core[]) =>
  expect.poll(() => free(nodes, 8, randomUUID()), { timeout: 10_000 }).toBe(10);

describe("guesses at a password", () => {
  it("are ten for a client and link, however many processes it asks at once", async () => {
    const { core, databaseUrl } = await testCore();
    const nodes = [core, await anotherCore(databaseUrl), await anotherCore(databaseUrl)];
    await free(nodes, 15, randomUUID()); // connects, which takes its time
    expect(await free(nodes, 15)).toBe(10);
    expect(await free(nodes, 1)).toBe(0);
    expect(await free(nodes, 5, "192.0.2.78")).toBe(10);
    expect(await free(nodes, 5, client, link.replace("0", "1"))).toBe(10);
  });

  it("are a hundred for an IPv6 site and link: a /48 with 65,536 networks costs nothing", async () => {
    const { core } = await testCore();
    const on = (site: string, network: number) => `2001:db8:${site}:${network.toString(16)}::/64`;
    const allowed = [];
    for (let network = 0; network < 13; network++) allowed.push(await free([core], 8, on("1", network)));
    expect(allowed).toEqual([...Array<number>(12).fill(8), 4]);
    expect(await free([core], 8, on("2", 1))).toBe(8);
  });

  it("are free where they were right, for the site, too", async () => {
    const { core } = await testCore();
    for (let network = 0; network < 120; network++) {
      const visitor = `2001:db8:1:${network.toString(16)}::/64`;
      expect(await core.passwordAttempts.take(link, visitor)).toBeNull();
      await core.passwordAttempts.refund(link, visitor);
    }
  });

  it("say how long to wait, ten minutes at most", async () => {
    const { core } = await testCore();
    expect(core.passwordAttempts).toMatchObject({ points: 10, seconds: 600 });
    await free([core], 10);
    const wait = await core.passwordAttempts.take(link, client);
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
  });

  it("are free where they were right", async () => {
    const { core, databaseUrl } = await testCore();
    const other = await anotherCore(databaseUrl);
    for (let n = 0; n < 25; n++) {
      expect(await core.passwordAttempts.take(link, client)).toBeNull();
      await other.passwordAttempts.refund(link, client);
    }
  });

  it("leave no address in the database, and nothing at all when their time is over", async () => {
    const { core } = await testCore();
    await free([core], 3);
    expect(await dump(core)).not.toContain(client);
    const { pool } = depsOf(core);
    await pool.query("update password_guesses set expire = expire - 600000");
    expect(await free([core], 12)).toBe(10);
  });

  it("are counted by each process alone while the database is away, then together again", async () => {
    const { databaseUrl } = await testCore();
    const proxy = await startTcpProxy(databaseUrl);
    const [one, other] = [await anotherCore(proxy.url), await anotherCore(proxy.url)];
    expect(await free([one, other], 1)).toBe(2);
    await proxy.stop();
    expect([await free([one], 15), await free([other], 15)]).toEqual([10, 10]);
    await proxy.resume();
    await untilShared([one, other]);
  });

  it("are counted where the database falls silent, too", async () => {
    const { databaseUrl } = await testCore();
    const proxy = await startTcpProxy(databaseUrl);
    const core = await anotherCore(proxy.url);
    await free([core], 1);
    proxy.fallSilent();
    expect(await free([core], 15)).toBe(10);
  });

  it("are counted before the first migration, too", async () => {
    const { core } = await testCore();
    await depsOf(core).pool.query("drop table password_guesses");
    expect(await free([core], 15)).toBe(10);
  });
});

if (redisMissing) {
  it("are counted in Redis where REQUIRE_SERVICES=1 asks for it (redis-server is not on the PATH: left out)", () => {
    console.warn("redis-server is not on the PATH: the tests of shared guesses were left out");
    expect(process.env["REQUIRE_SERVICES"]).not.toBe("1");
  });
}

describe.runIf(!redisMissing)("guesses with Redis", () => {
  it("are counted there for all nodes, and by each process alone while it is away", async () => {
    const redis = await startRedis();
    onTestFinished(redis.kill);
    const { databaseUrl } = await testCore();
    const options = { redisUrl: redis.url };
    const [one, other] = [await anotherCore(databaseUrl, options), await anotherCore(databaseUrl, options)];
    await untilShared([one, other]);
    const { pool } = depsOf(one);
    await pool.query("delete from password_guesses"); // from before they were connected
    expect(await free([one, other], 8)).toBe(10);
    expect((await pool.query("select from password_guesses")).rowCount).toBe(0);
    await redis.kill();
    expect([await free([one], 15), await free([other], 15)]).toEqual([10, 10]);
    await redis.restart();
    await untilShared([one, other]);
  });
});
