import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Core } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, dump, unknownId as link } from "../../helpers.ts";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { anotherCore } from "../../redirects/helpers.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

const client = "192.0.2.77";

async function testCore() {
  const test = await createTestCore();
  onTestFinished(test.close);
  return test;
}

/** Returns how many of several concurrent attempts are allowed. */
async function allowed(cores: Core[], tries: number, of = client, at = link): Promise<number> {
  const takes = cores.flatMap((core) =>
    Array.from({ length: tries }, () => core.passwordAttempts.take(at, of)),
  );
  return (await Promise.all(takes)).filter((wait) => wait === null).length;
}

/** Waits until the nodes share their counts. */
const untilShared = (nodes: Core[]) =>
  expect.poll(() => allowed(nodes, 8, randomUUID()), { timeout: 10_000 }).toBe(10);

describe("password attempts", () => {
  it("are limited to ten per client and link, over all processes", async () => {
    const { core, databaseUrl } = await testCore();
    const nodes = [core, await anotherCore(databaseUrl), await anotherCore(databaseUrl)];
    await allowed(nodes, 15, randomUUID()); // opens the connections first
    expect(await allowed(nodes, 15)).toBe(10);
    expect(await allowed(nodes, 1)).toBe(0);
    expect(await allowed(nodes, 5, "192.0.2.78")).toBe(10);
    expect(await allowed(nodes, 5, client, link.replace("0", "1"))).toBe(10);
  });

  it("are limited to a hundred per IPv6 site and link: a /48 with 65,536 networks is free of charge", async () => {
    const { core } = await testCore();
    const on = (site: string, network: number) => `2001:db8:${site}:${network.toString(16)}::/64`;
    const counts = [];
    for (let network = 0; network < 13; network++) counts.push(await allowed([core], 8, on("1", network)));
    expect(counts).toEqual([...Array<number>(12).fill(8), 4]);
    expect(await allowed([core], 8, on("2", 1))).toBe(8);
  });

  it("are not counted for the site if they were right", async () => {
    const { core } = await testCore();
    for (let network = 0; network < 120; network++) {
      const visitor = `2001:db8:1:${network.toString(16)}::/64`;
      expect(await core.passwordAttempts.take(link, visitor)).toBeNull();
      await core.passwordAttempts.refund(link, visitor);
    }
  });

  it("are refused with the limit and how long to wait, at most ten minutes", async () => {
    const { core } = await testCore();
    await allowed([core], 10);
    const refusal = await core.passwordAttempts.take(link, client);
    expect(refusal).toMatchObject({ policy: "guesses", limit: 10, remaining: 0, window: 600 });
    expect(refusal?.reset).toBeGreaterThan(500);
    expect(refusal?.reset).toBeLessThanOrEqual(600);
  });

  it("are not counted if they were right", async () => {
    const { core, databaseUrl } = await testCore();
    const other = await anotherCore(databaseUrl);
    for (let n = 0; n < 25; n++) {
      expect(await core.passwordAttempts.take(link, client)).toBeNull();
      await other.passwordAttempts.refund(link, client);
    }
  });

  it("are limited to sixty a minute per client and process, right ones too and over all links", async () => {
    const { core, databaseUrl, close } = await createTestCore({ passwordsPerMinute: undefined });
    onTestFinished(close);
    const enter = async (of: Core, address: string, count: number) => {
      const refusals = [];
      for (let at = 0; at < count; at++) {
        const visited = randomUUID();
        const refusal = await of.passwordAttempts.take(visited, address);
        if (refusal === null) await of.passwordAttempts.refund(visited, address);
        else refusals.push(refusal);
      }
      return refusals;
    };
    const refusals = await enter(core, client, 62);
    expect(refusals).toHaveLength(2);
    expect(refusals[0]).toMatchObject({ policy: "passwords", limit: 60, remaining: 0, window: 60 });
    expect(await enter(core, "192.0.2.78", 1)).toEqual([]);
    const strict = await anotherCore(databaseUrl, { passwordsPerMinute: 2 });
    expect(await enter(strict, client, 3)).toHaveLength(1);
    const site = [];
    for (let network = 1; network <= 12; network++)
      site.push((await enter(strict, `2001:db8:1:${network}::/64`, 2)).length);
    expect(site).toEqual([...Array<number>(10).fill(0), 2, 2]);
  });

  it("leave no address in the database, nor a hash that tells it without the day's secret", async () => {
    const day = new Date("2026-03-01T12:00:00Z");
    const { core, close } = await createTestCore({ clock: () => day });
    onTestFinished(close);
    await allowed([core], 3);
    const bare = ["base64url", "hex", "base64"] as const;
    const hashes = bare.map((form) => createHash("sha256").update(`${link} ${client}`).digest(form));
    for (const text of [client, ...hashes]) expect(await dump(core)).not.toContain(text);
    const other = await createTestCore({ clock: () => day });
    onTestFinished(other.close);
    await allowed([other.core], 3);
    const keysOf = async (of: Core) =>
      (await depsOf(of).pool.query<{ key: string }>("select key from password_guesses")).rows.map(
        ({ key }) => key,
      );
    expect(await keysOf(core)).toHaveLength(1);
    expect(await keysOf(other.core)).not.toEqual(await keysOf(core));
  });

  it("are not counted after they have expired", async () => {
    const { core } = await testCore();
    await allowed([core], 3);
    const { pool } = depsOf(core);
    await pool.query("update password_guesses set expire = expire - 600000");
    expect(await allowed([core], 12)).toBe(10);
  });

  it("are counted by each process while the database is unreachable, then together again", async () => {
    const { databaseUrl } = await testCore();
    const proxy = await startTcpProxy(databaseUrl);
    const [one, other] = [await anotherCore(proxy.url), await anotherCore(proxy.url)];
    expect(await allowed([one, other], 1)).toBe(2);
    await proxy.stop();
    expect([await allowed([one], 15), await allowed([other], 15)]).toEqual([10, 10]);
    await proxy.resume();
    await untilShared([one, other]);
  });

  it("are counted while the database does not answer", async () => {
    const { databaseUrl } = await testCore();
    const proxy = await startTcpProxy(databaseUrl);
    const core = await anotherCore(proxy.url);
    await allowed([core], 1);
    proxy.fallSilent();
    expect(await allowed([core], 15)).toBe(10);
  });

  it("are counted before the first migration", async () => {
    const { core } = await testCore();
    await depsOf(core).pool.query("drop table password_guesses");
    expect(await allowed([core], 15)).toBe(10);
  });
});

describe.runIf(!redisMissing)("password attempts with Redis", () => {
  it("are counted there for all nodes, and by each process while it is unreachable", async () => {
    const redis = await startRedis();
    onTestFinished(redis.kill);
    const { databaseUrl } = await testCore();
    const options = { redisUrl: redis.url };
    const [one, other] = [await anotherCore(databaseUrl, options), await anotherCore(databaseUrl, options)];
    await untilShared([one, other]);
    const { pool } = depsOf(one);
    await pool.query("delete from password_guesses"); // from before Redis was connected
    expect(await allowed([one, other], 8)).toBe(10);
    expect((await pool.query("select from password_guesses")).rowCount).toBe(0);
    await redis.kill();
    expect([await allowed([one], 15), await allowed([other], 15)]).toEqual([10, 10]);
    await redis.restart();
    await untilShared([one, other]);
  });
});
