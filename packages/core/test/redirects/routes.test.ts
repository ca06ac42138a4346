import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Core } from "../../src/index.ts";
import { Routes } from "../../src/redirects/routes.ts";
import { createTestCore } from "../../src/testing.ts";
import { until } from "@terse/testkit";
import { addDomain, depsOf, second, url } from "../helpers.ts";
import { anotherCore, answer, answerOr503, countStatements, visitor, watchingCore } from "./helpers.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

let now: number | null = null;
const { core, databaseUrl, actor, close } = await createTestCore({
  clock: () => new Date(now ?? Date.now()),
});
afterAll(close);
const pro = await actor("pro");
const { links } = core.caller(pro);
const deps = depsOf(core);

/** The cache and its look-ups alone, with custom limits. */
const routesOf = (limits: { entries: number; bytes: number; unknown: number }, isWatched = true) =>
  new Routes({
    pool: deps.pool,
    shortHost: deps.shortHost,
    hostLists: { isBlocked: () => false },
    cacheLimits: limits,
    meter: deps.meter,
    isWatched: () => isWatched,
  });
const small = { entries: 50, bytes: 1e6, unknown: 50 };

describe("a slug that is not cached", () => {
  it("is looked up once for 1,000 concurrent requests", async () => {
    const { slug } = await links.create({ url });
    const statements = countStatements(core);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => answer(core, slug)));
    expect(new Set(answers)).toEqual(new Set([url]));
    expect(statements()).toBe(1);
  });

  it("is looked up once if it does not exist, too", async () => {
    const statements = countStatements(core);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => answer(core, "nobody-has-it")));
    expect(new Set(answers)).toEqual(new Set(["not_found"]));
    expect(await answer(core, "nobody-has-it")).toBe("not_found");
    expect(statements()).toBe(1);
  });

  it("is looked up once on a custom domain, and so is the domain", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const { slug } = await links.create({ url, domain });
    const statements = countStatements(core);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => answer(core, slug, domain)));
    expect(new Set(answers)).toEqual(new Set([url]));
    expect(statements()).toBe(2);
  });

  it("is not looked up if it cannot be a slug", async () => {
    const statements = countStatements(core);
    for (const slug of ["\0", "a\0b", "\uD800", "x".repeat(2000)])
      expect(await answer(core, slug)).toBe("not_found");
    expect(statements()).toBe(0);
  });
});

describe("a hot link", () => {
  it("stays in the cache through a scan of unknown slugs and one of cold links", async () => {
    const { slug } = await links.create({ url });
    const cold = await Promise.all(
      Array.from({ length: 200 }, async () => (await links.create({ url })).slug),
    );
    const routes = routesOf(small);
    await routes.find("short.test", slug);
    for (const other of [...Array.from({ length: 200 }, (_, at) => `unknown${at}`), ...cold]) {
      await routes.find("short.test", other);
      expect(routes.peek(slug)).toMatchObject({ destination: url });
    }
    expect(routes.cache.size).toBe(50);
  });
});

describe("an unknown slug", () => {
  it("is known to this core as soon as it is created", async () => {
    expect(await answer(core, "created-here")).toBe("not_found");
    await links.create({ url, slug: "created-here" });
    expect(await answer(core, "created-here")).toBe(url);
  });

  it("is known to another core within a second", async () => {
    const other = await watchingCore(databaseUrl);
    expect(await answer(other, "created-there")).toBe("not_found");
    await links.create({ url, slug: "created-there" });
    await until(async () => (await answer(other, "created-there")) === url, second);
  });

  it("that is created during its look-up is known afterwards", async () => {
    const locked = await lockedTable("links");
    const early = answer(core, "created-meanwhile");
    await locked.isWaitedFor();
    await locked.run(
      "insert into links (id, slug, destination, created_at, updated_at) values ($1, 'created-meanwhile', $2, now(), now())",
      [randomUUID(), url],
    );
    core.redirects.invalidate({
      domain_id: "00000000-0000-0000-0000-000000000000",
      slug: "created-meanwhile",
    });
    await locked.release();
    await early;
    expect(await answer(core, "created-meanwhile")).toBe(url);
  });
});

describe("a slug on one host", () => {
  it("is not found on another, however a request spells it", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const { slug } = await links.create({ url, domain });
    const { rows } = await deps.pool.query<{ id: string }>("select id from domains where domain = $1", [
      domain,
    ]);
    expect(await answer(core, slug, domain)).toBe(url);
    const spelled = `${rows[0]?.id}/${slug}`;
    expect(await answer(core, spelled)).toBe("not_found");
    expect(core.redirects.peek(spelled, Date.now())).toBeNull();
    const statements = countStatements(core);
    expect(await answer(core, slug, domain)).toBe(url);
    expect(statements()).toBeLessThanOrEqual(2);
  });
});

describe("a change during a look-up", () => {
  it("leaves no stale route in the cache", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const marker = await markerOf(node);
    const { id, slug } = await links.create({ url });
    // The row is read before the change; the answer arrives after the change was announced.
    const answers = proxy.holdAnswersTo("route");
    const early = answer(node, slug);
    await answers.isAnswered();
    await links.update({ id, url: "https://example.com/new" });
    await marker.isPassed();
    answers.release();
    expect(await early).toBe(url);
    expect(await answer(node, slug)).toBe("https://example.com/new");
    expect(node.redirects.peek(slug, Date.now())).toMatchObject({ destination: "https://example.com/new" });
  });

  it("of a domain leaves no stale domain in the cache", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const marker = await markerOf(node);
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const { slug } = await links.create({ url, domain });
    const answers = proxy.holdAnswersTo("domain-of-host");
    const early = answer(node, slug, domain);
    await answers.isAnswered();
    await deps.pool.query("update domains set status = 'failed' where domain = $1", [domain]);
    await marker.isPassed();
    answers.release();
    expect(await early).toBe(url);
    expect(await answer(node, slug, domain)).toBe("not_found");
  });

  /** Tells when a node has received all changes so far: a change of the marker is received after them. */
  async function markerOf(node: Core): Promise<{ isPassed(): Promise<void> }> {
    const { id, slug } = await links.create({ url });
    await answer(node, slug);
    return {
      async isPassed() {
        await links.update({ id, url: "https://example.com/marker" });
        await until(() => node.redirects.peek(slug, Date.now()) === null);
      },
    };
  }
});

describe("expiry", () => {
  it("of a cached link is exact to the millisecond, on the hot path and off it", async () => {
    const expiry = Date.parse("2030-01-01T00:00:00.000Z");
    now = expiry - 500;
    const { slug } = await links.create({ url, expires_at: new Date(expiry).toISOString() });
    expect(await answer(core, slug)).toBe(url);
    const statements = countStatements(core);
    now = expiry - 1;
    expect(await answer(core, slug)).toBe(url);
    expect(core.redirects.peek(slug, now)).toMatchObject({ destination: url });
    now = expiry;
    expect(await answer(core, slug)).toBe("expired");
    expect(core.redirects.peek(slug, now)).toBeNull();
    expect(statements()).toBe(0);
    now = null;
  });
});

describe("the hot path", () => {
  it("finds plain links that are cached, and no others", async () => {
    const plain = await links.create({ url });
    const inactive = await links.create({ url });
    await links.update({ id: inactive.id, is_active: 0 });
    const secret = await links.create({ url, password: "secret" });
    expect(core.redirects.peek(plain.slug, Date.now())).toBeNull();
    for (const { slug } of [plain, inactive, secret])
      await core.redirects.resolve("short.test", slug, visitor);
    expect(core.redirects.peek(plain.slug, Date.now())).toMatchObject({
      link_id: plain.id,
      destination: url,
    });
    expect(core.redirects.peek(inactive.slug, Date.now())).toBeNull();
    expect(core.redirects.peek(secret.slug, Date.now())).toBeNull();
  });
});

describe("a clock that is set back by an hour", () => {
  afterEach(() => {
    now = null;
  });

  it("does not keep an unknown slug for longer", async () => {
    const node = await anotherCore(databaseUrl, { clock: () => new Date(now ?? Date.now()) });
    expect(await answer(node, "unknown-before")).toBe("not_found");
    now = Date.now() - 3_600_000;
    await links.create({ url, slug: "unknown-before" });
    await until(async () => (await answer(node, "unknown-before")) === url);
  });

  it("does not delay look-ups in a database that is back", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await anotherCore(proxy.url, { clock: () => new Date(now ?? Date.now()) });
    const { slug } = await links.create({ url });
    await proxy.stop();
    expect(await answerOr503(node, slug)).toBe("SERVICE_UNAVAILABLE");
    now = Date.now() - 3_600_000;
    await proxy.resume();
    await until(async () => (await answerOr503(node, slug)) === url);
  });
});

describe("a core that does not receive changes", () => {
  it("trusts a cached link for a second, and then looks it up again", async () => {
    const node = await anotherCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await links.update({ id, url: "https://example.com/later" });
    await until(async () => (await answer(node, slug)) === "https://example.com/later", second);
  });
});

/** Locks a table against reading until it is released. */
async function lockedTable(table: string) {
  const client = new Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return {
    isWaitedFor: () => until(async () => ((await deps.pool.query(waiting)).rowCount ?? 0) > 0),
    run: (sql: string, values: unknown[]) => client.query(sql, values),
    release: () => client.query("commit"),
  };
}
