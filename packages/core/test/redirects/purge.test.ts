import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { CoreEvent } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { until } from "@terse/testkit";
import { addDomain, depsOf, second, url } from "../helpers.ts";
import { anotherCore, answer, answerOr503, countStatements, watchingCore } from "./helpers.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const pro = await actor("pro");
const { links } = core.caller(pro);
const { pool } = depsOf(core);
/** Ends the connections on which cores receive changes. */
const endListeners = () =>
  pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database()
       and (query in ('listen terse_routes', 'select') or query like 'notify terse_echo%')`,
  );
const newUrl = "https://example.com/new";

describe("a change by one core reaches another within a second:", () => {
  it("a destination", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await links.update({ id, url: newUrl });
    await until(async () => (await answer(node, slug)) === newUrl, second);
  });

  it("a new slug, and the old one, which is free", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    const other = `renamed-${randomUUID()}`;
    expect(await answer(node, slug)).toBe(url);
    expect(await answer(node, other)).toBe("not_found");
    await links.update({ id, slug: other });
    await until(async () => (await answer(node, slug)) === "not_found", second);
    await until(async () => (await answer(node, other)) === url, second);
  });

  it("a link that is switched off, and on again", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await links.update({ id, is_active: 0 });
    await until(async () => (await answer(node, slug)) === "inactive", second);
    await links.update({ id, is_active: 1 });
    await until(async () => (await answer(node, slug)) === url, second);
  });

  it("an expiry, a password, rules and a test", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await links.update({ id, expires_at: "2020-01-01T00:00:00Z" });
    await until(async () => (await answer(node, slug)) === "expired", second);
    await links.update({ id, expires_at: null, password: "secret" });
    await until(async () => (await answer(node, slug)) === "password", second);
    await links.update({
      id,
      password: null,
      ab_test: {
        variants: [
          { url: newUrl, weight: 1 },
          { url: newUrl, weight: 1 },
        ],
      },
    });
    await until(async () => (await answer(node, slug)) === newUrl, second);
  });

  it("a link that is deleted, and a new one with its slug", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await links.delete({ id });
    await until(async () => (await answer(node, slug)) === "not_found", second);
    await links.create({ url: newUrl, slug });
    await until(async () => (await answer(node, slug)) === newUrl, second);
  });

  it("a domain that is verified, fails, and is deleted", async () => {
    const node = await watchingCore(databaseUrl);
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const { slug } = await links.create({ url, domain });
    const status = (to: string) =>
      pool.query("update domains set status = $2 where domain = $1", [domain, to]);
    await status("pending");
    await until(async () => (await answer(node, slug, domain)) === "not_found", second);
    await status("verified");
    await until(async () => (await answer(node, slug, domain)) === url, second);
    await status("failed");
    await until(async () => (await answer(node, slug, domain)) === "not_found", second);
    await status("verified");
    await until(async () => (await answer(node, slug, domain)) === url, second);
    await pool.query("delete from links where slug = $1", [slug]);
    await pool.query("delete from domains where domain = $1", [domain]);
    await until(async () => (await answer(node, slug, domain)) === "not_found", second);
  });

  it("a destination and a deletion, while that node redirects all the time", async () => {
    const node = await watchingCore(databaseUrl);
    const busy = await Promise.all(Array.from({ length: 50 }, () => links.create({ url })));
    const [{ id, slug }, gone] = [await links.create({ url }), await links.create({ url })];
    const all = [...busy.map((link) => link.slug), slug, gone.slug];
    let asked = 0;
    let going = true;
    // Links that are cached, and some that are not: the event loop and the connections are busy at once.
    const visitors = Array.from({ length: 50 }, async (_, at) => {
      while (going) {
        await answer(node, all[(at + asked++) % all.length] as string);
        if (asked % 20 === 0) await answer(node, `nobody-${asked}`);
        if (asked % 100 === 0) await new Promise(setImmediate);
      }
    });
    await until(() => asked > 10_000);
    for (let round = 0; round < 5; round++) {
      const changed = `https://example.com/busy/${round}`;
      await links.update({ id, url: changed });
      await until(async () => (await answer(node, slug)) === changed, second);
    }
    await links.delete({ id: gone.id });
    await until(async () => (await answer(node, gone.slug)) === "not_found", second);
    going = false;
    await Promise.all(visitors);
  });

  it("made with any SQL", async () => {
    const node = await watchingCore(databaseUrl);
    const { slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    await pool.query("update links set destination = $2 where slug = $1", [slug, newUrl]);
    await until(async () => (await answer(node, slug)) === newUrl, second);
  });
});

describe("an unchanged link", () => {
  it("is not looked up again when others change and clicks are counted", async () => {
    const node = await watchingCore(databaseUrl);
    const [quiet, busy] = [await links.create({ url }), await links.create({ url })];
    expect(await answer(node, quiet.slug)).toBe(url);
    const statements = countStatements(node);
    for (let at = 0; at < 20; at++) {
      await links.update({ id: busy.id, url: `https://example.com/${at}` });
      await pool.query("update links set click_count = click_count + 1 where id = $1", [quiet.id]);
    }
    await until(async () => (await answer(node, busy.slug)) === "https://example.com/19", second);
    const before = statements();
    expect(await answer(node, quiet.slug)).toBe(url);
    expect(node.redirects.peek(quiet.slug, Date.now() + 86_400_000)).toMatchObject({ destination: url });
    expect(statements()).toBe(before);
  });
});

describe("a lost channel", () => {
  it("is reported and reopened after its connection was ended, and no stale link is left", async () => {
    const events: CoreEvent[] = [];
    const node = await watchingCore(databaseUrl, { onEvent: (event) => events.push(event) });
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    for (let round = 1; round <= 3; round++) {
      const changed = `https://example.com/round/${round}`;
      // Concurrently, so that the change may be missed.
      await Promise.all([endListeners(), links.update({ id, url: changed })]);
      await until(async () => (await answerOr503(node, slug)) === changed, second);
      await until(() => events.length === 2 * round);
      expect(await answer(node, slug)).toBe(changed);
    }
    const [lost, restored] = ["link_changes_lost", "link_changes_restored"];
    expect(events.map(({ code }) => code)).toEqual([lost, restored, lost, restored, lost, restored]);
    expect(node.redirects.stats().watched).toBe(true);
  });

  it("limits the trust in cached links to a second", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    // Only the channel's connection is ended, again and again.
    const cutting = setInterval(() => void endListeners(), 20);
    await until(() => !node.redirects.stats().watched);
    await links.update({ id, url: newUrl });
    await until(async () => (await answerOr503(node, slug)) === newUrl, second);
    clearInterval(cutting);
    await until(() => node.redirects.stats().watched);
    expect(await answer(node, slug)).toBe(newUrl);
  });

  it("is noticed if its connection falls silent, and a link that changed meanwhile is not stale afterwards", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const { id, slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    proxy.fallSilent();
    await links.update({ id, url: newUrl });
    await until(() => !node.redirects.stats().watched, second);
    await proxy.resume();
    await until(() => node.redirects.stats().watched);
    await until(async () => (await answerOr503(node, slug)) === newUrl, second);
  });

  it("is reopened even if a connection falls silent while it is opened", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const held = proxy.holdAnswersTo("listen terse_routes");
    await endListeners();
    await held.isAnswered();
    expect(node.redirects.stats().watched).toBe(false);
    await proxy.resume();
    held.release();
    await until(() => node.redirects.stats().watched);
  });

  it("is closed with its core, also after it has fallen silent", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    proxy.fallSilent();
    await node.redirects.close();
    expect(node.redirects.stats().watched).toBe(false);
  });
});

describe("an unreachable database", () => {
  it("leaves cached links unchanged and makes others 503; when it is back, every link is current", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const [edited, deleted, kept, unseen] = await Promise.all(
      Array.from({ length: 4 }, () => links.create({ url })),
    );
    const custom = await links.create({ url, domain });
    if (!edited || !deleted || !kept || !unseen) throw new Error("There are no links");
    for (const { slug } of [edited, deleted, kept]) expect(await answer(node, slug)).toBe(url);
    expect(await answer(node, custom.slug, domain)).toBe(url);

    await proxy.stop();
    await until(() => !node.redirects.stats().watched, second);
    const end = Date.now() + 1500;
    while (Date.now() < end) {
      for (const { slug } of [edited, deleted, kept]) expect(await answer(node, slug)).toBe(url);
      expect(await answer(node, custom.slug, domain)).toBe(url);
      expect(await answerOr503(node, unseen.slug)).toBe("SERVICE_UNAVAILABLE");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await links.update({ id: edited.id, url: newUrl });
    await links.delete({ id: deleted.id });
    // A node that is cut off alone cannot know this: it continues with its cache.
    for (const { slug } of [edited, deleted, kept]) expect(await answer(node, slug)).toBe(url);

    await proxy.resume();
    await until(async () => (await answerOr503(node, unseen.slug)) === url);
    await until(async () => (await answer(node, edited.slug)) === newUrl, second);
    await until(async () => (await answer(node, deleted.slug)) === "not_found", second);
    expect(await answer(node, kept.slug)).toBe(url);
    await until(() => node.redirects.stats().watched);
    for (const at of [1, 2, 3]) {
      await links.update({ id: kept.id, url: `https://example.com/${at}` });
      await until(async () => (await answer(node, kept.slug)) === `https://example.com/${at}`, second);
    }
  });

  it("is queried by few of many concurrent visitors", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    expect(await answer(node, "warm")).toBe("not_found");
    proxy.fallSilent();
    const asked = Array.from({ length: 10_000 }, (_, at) => answerOr503(node, `nobody-${at}`));
    const { pool: nodePool } = depsOf(node);
    expect(nodePool.waitingCount).toBeLessThanOrEqual(2000);
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["SERVICE_UNAVAILABLE"]));
    // From now on one request at a time tries.
    const more = Array.from({ length: 1000 }, (_, at) => answerOr503(node, `nobody-else-${at}`));
    expect(nodePool.waitingCount).toBeLessThanOrEqual(2000);
    expect(new Set(await Promise.all(more))).toEqual(new Set(["SERVICE_UNAVAILABLE"]));
    await proxy.resume();
    await until(async () => (await answerOr503(node, "nobody-at-last")) === "not_found");
  });

  it("delays no cached link for long if it has fallen silent", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    const node = await watchingCore(proxy.url);
    const { slug } = await links.create({ url });
    expect(await answer(node, slug)).toBe(url);
    proxy.fallSilent();
    await until(() => !node.redirects.stats().watched, second);
    // The first request waits for an answer that does not come; all others do not wait.
    expect(await answer(node, slug)).toBe(url);
    const waited: number[] = [];
    for (let at = 0; at < 50; at++) {
      const begin = performance.now();
      expect(await answer(node, slug)).toBe(url);
      waited.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(waited.filter((ms) => ms > 100).length).toBeLessThanOrEqual(1);
  });

  it("is waited for at the start", async () => {
    const proxy = await startTcpProxy(databaseUrl);
    await proxy.stop();
    const { slug } = await links.create({ url });
    const node = await anotherCore(proxy.url);
    node.redirects.watch();
    expect(await answerOr503(node, slug)).toBe("SERVICE_UNAVAILABLE");
    await proxy.resume();
    await until(() => node.redirects.stats().watched);
    await until(async () => (await answerOr503(node, slug)) === url);
  });
});
