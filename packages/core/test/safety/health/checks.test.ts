import type { ServerResponse } from "node:http";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startDns } from "@terse/testkit/dns";
import type { Caller, Link } from "../../../src/index.ts";
import type { Fetch } from "../../../src/safety/health/robots.ts";
import type { HealthStatus } from "../../../src/safety/health/verdict.ts";
import { createRobots } from "../../../src/safety/health/robots.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, named, rejection } from "../../helpers.ts";
import { answering, type Received, type Site, startSite } from "../../outbound/site.ts";
import { anotherCore } from "../../redirects/helpers.ts";
import { toldBy } from "../../integrations/webhooks/setup.ts";

const dns = await startDns();
const time = { now: new Date() };
const options = {
  clock: () => time.now,
  dnsServers: [dns.address],
  outboundNetworks: ["127.0.0.0/8"],
  baseUrl: "https://api.terse.test",
  healthChecks: "daily",
} as const;
const test = await createTestCore(options);
const { core } = test;
afterAll(async () => {
  await test.close();
  await dns.close();
});

// Otherwise every test would check the links of all tests before it again.
afterEach(() => depsOf(core).pool.query("delete from links"));

const passDay = () => {
  time.now = new Date(time.now.getTime() + 27 * 3_600_000);
};
const pass = (minutes: number) => {
  time.now = new Date(time.now.getTime() + minutes * 60_000);
};

/** Checks everything until nothing is due: hosts pause between two checks. */
async function checkAll(): Promise<void> {
  await core.health.checkDue(); // New links are due within a day.
  passDay();
  while ((await core.health.checkDue()) > 0) pass(1);
}

let hosts = 0;
/** A new host name, which leads to the sites of tests. */
function newHost(): string {
  const host = `host${++hosts}.example`;
  dns.set("A", host, "127.0.0.1");
  return host;
}

/** A site under its own name, with a link to it. */
async function newSite(answer?: Site["answer"], path = "page") {
  const site = await startSite(answer);
  const host = newHost();
  const caller = core.caller(await test.actor("pro"));
  const link = await caller.links.create({ url: `http://${host}:${site.port}/${path}` });
  const asked = () => site.received.map(({ method, path: asking }) => `${method} ${asking}`);
  return { site, host, caller, link, asked };
}

const statusOf = async ({ links }: Caller, { id }: Link): Promise<HealthStatus | null> =>
  (await links.get({ id })).health?.status ?? null;

describe("the check of a destination", () => {
  it("asks with HEAD, and says who asks", async () => {
    const { site, caller, link, asked } = await newSite();
    expect(await statusOf(caller, link)).toBeNull();
    await checkAll();
    expect(asked()).toEqual(["HEAD /page"]);
    expect(site.received[0]?.headers["user-agent"]).toBe(
      "Mozilla/5.0 (compatible; TerseBot/1.0; +https://api.terse.test)",
    );
    const { health } = await caller.links.get({ id: link.id });
    expect(health).toEqual({ status: "ok", checked_at: expect.any(String), since: health?.checked_at });
  });

  it("asks with GET where HEAD fails, if robots.txt allows it", async () => {
    const noHead = ({ method, path }: Received, response: ServerResponse) => {
      if (path === "/robots.txt") response.end("User-agent: *\nDisallow: /private");
      else response.writeHead(method === "HEAD" ? 405 : 200).end();
    };
    const open = await newSite(noHead);
    const closed = await newSite(noHead, "private/page");
    await checkAll();
    expect(open.asked()).toEqual(["HEAD /page", "GET /robots.txt", "GET /page"]);
    expect(await statusOf(open.caller, open.link)).toBe("ok");
    expect(closed.asked()).toEqual(["HEAD /private/page", "GET /robots.txt"]);
    expect(await statusOf(closed.caller, closed.link)).toBe("unknown");
  });

  it("sends no GET to a URL that looks like an action, also after a redirect", async () => {
    const noHead = ({ method, path }: Received, response: ServerResponse) => {
      if (path === "/robots.txt") response.writeHead(404).end();
      else if (path === "/page") response.writeHead(302, { location: "/list/unsubscribe/4711" }).end();
      else response.writeHead(method === "HEAD" ? 405 : 200).end();
    };
    const paths = ["page", "newsletter/Abmelden?id=1", "verify?token=secret", "a?do=logout", "k%C3%BCndigen"];
    const sites = await Promise.all(paths.map((path) => newSite(noHead, path)));
    await checkAll();
    for (const { asked, caller, link } of sites) {
      expect(asked().filter((request) => /^GET \/(?!robots\.txt$|page$)/.test(request))).toEqual([]);
      expect(await statusOf(caller, link)).toBe("unknown");
    }
    expect(sites[0]?.asked()).toContain("HEAD /list/unsubscribe/4711");
  });

  it("finds a link broken when two checks in a row fail, and tells webhooks when that changes", async () => {
    const receiver = await startSite();
    const { site, caller, link, host } = await newSite();
    await caller.webhooks.create({ url: receiver.url, events: ["link.unhealthy", "link.healthy"] });
    await checkAll();
    site.answer = answering(404);
    passDay();
    await core.health.checkDue();
    expect(await statusOf(caller, link)).toBe("ok");
    pass(61);
    await core.health.checkDue();
    expect(await statusOf(caller, link)).toBe("broken");
    await checkAll();
    site.answer = answering(200);
    await checkAll();
    expect(await statusOf(caller, link)).toBe("ok");
    await core.webhooks.deliverDue();
    expect(toldBy(receiver.received)).toMatchObject([
      { type: "link.unhealthy", data: { id: link.id, destination: expect.stringContaining(host) } },
      { type: "link.healthy", data: { id: link.id } },
    ]);
  });

  it("takes errors for what they are", async () => {
    const answers: [status: number, health: HealthStatus][] = [
      [410, "broken"],
      [500, "broken"],
      [403, "unknown"],
      [429, "unknown"],
    ];
    const sites = await Promise.all(
      answers.map(([status]) =>
        newSite(({ path }, response) => void response.writeHead(path === "/robots.txt" ? 404 : status).end()),
      ),
    );
    await checkAll();
    pass(61);
    await checkAll();
    const found = await Promise.all(sites.map(({ caller, link }) => statusOf(caller, link)));
    expect(found).toEqual(answers.map(([, health]) => health));
  });

  it("follows five redirects, not more", async () => {
    const redirecting = ({ path }: Received, response: ServerResponse) => {
      const left = Number(path.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end();
    };
    const five = await newSite(redirecting, "5");
    const six = await newSite(redirecting, "6");
    await checkAll();
    await checkAll();
    expect(await statusOf(five.caller, five.link)).toBe("ok");
    expect(await statusOf(six.caller, six.link)).toBe("broken");
  });

  it("goes to no private address, also after a redirect", async () => {
    const inside = await startSite();
    const own = await createTestCore({ ...options, outboundNetworks: ["127.0.0.2/32"] });
    const caller = own.core.caller(await own.actor("pro"));
    dns.set("A", "inside.example", "127.0.0.1");
    const { id } = await caller.links.create({ url: `http://inside.example:${inside.port}/` });
    await own.core.health.checkDue();
    passDay();
    expect(await own.core.health.checkDue()).toBe(1);
    expect((await caller.links.get({ id })).health).toMatchObject({ status: "unknown" });
    await own.close();
    const redirecting = await newSite(answering(302, { location: "http://10.0.0.1/" }));
    await checkAll();
    expect(await statusOf(redirecting.caller, redirecting.link)).toBe("unknown");
    expect(inside.received).toEqual([]);
  });

  it("finds a host unreachable that has no address, or does not answer", async () => {
    const caller = core.caller(await test.actor("pro"));
    const nowhere = await caller.links.create({ url: "https://nowhere.example/" });
    const silent = await caller.links.create({ url: `http://${newHost()}:1/` });
    await checkAll();
    pass(61);
    await checkAll();
    expect(await statusOf(caller, nowhere)).toBe("unreachable");
    expect(await statusOf(caller, silent)).toBe("unreachable");
  });

  it("leaves alone links that are switched off, expired, disabled or have a password", async () => {
    const { site, caller, link } = await newSite();
    await checkAll();
    site.received.length = 0;
    await caller.links.update({ id: link.id, is_active: 0 });
    await caller.links.create({ url: link.destination, password: "secret" });
    await caller.links.create({
      url: link.destination,
      expires_at: new Date(time.now.getTime() + 1000).toISOString(),
    });
    await core.caller({ kind: "anonymous" }).links.create({ url: link.destination });
    await checkAll();
    expect(site.received).toEqual([]);
    expect(await statusOf(caller, link)).toBeNull();
  });

  it("leaves alone links with the tag no-check, whatever was found before", async () => {
    const { site, caller, link } = await newSite();
    await checkAll();
    expect(await statusOf(caller, link)).toBe("ok");
    site.received.length = 0;
    await caller.links.update({ id: link.id, tags: ["No-Check"] });
    await caller.links.create({ url: link.destination, tags: ["a", "no-check"] });
    const other = await caller.links.create({ url: `${link.destination}2`, tags: ["no-checks"] });
    passDay();
    await checkAll();
    expect(site.received.map(({ path }) => path)).toEqual(["/page2"]);
    expect(await statusOf(caller, link)).toBeNull();
    expect(await statusOf(caller, other)).toBe("ok");
  });

  it("begins again when the destination changes", async () => {
    const { caller, link } = await newSite();
    const other = await newSite(answering(404));
    await checkAll();
    expect(await statusOf(caller, link)).toBe("ok");
    await caller.links.update({ id: link.id, url: other.link.destination });
    expect(await statusOf(caller, link)).toBeNull();
    passDay();
    await checkAll();
    pass(61);
    await checkAll();
    expect(await statusOf(caller, link)).toBe("broken");
  });
});

describe("a host", () => {
  it("is asked by one node at a time, with a pause between two links", async () => {
    let open = 0;
    let most = 0;
    const { site, caller, host } = await newSite(async (_, response) => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open -= 1;
      response.end();
    });
    for (let page = 1; page < 5; page++)
      await caller.links.create({ url: `http://${host}:${site.port}/${page}` });
    const node = await anotherCore(test.databaseUrl, options);
    await core.health.checkDue();
    passDay();
    const checkBoth = () => Promise.all([core.health.checkDue(), node.health.checkDue()]);
    await checkBoth();
    expect(site.received).toHaveLength(1);
    await checkBoth();
    expect(site.received).toHaveLength(1);
    for (let minutes = 0; minutes < 10; minutes++) {
      pass(1);
      await checkBoth();
    }
    expect(site.received.map(({ path }) => path).toSorted()).toEqual(["/1", "/2", "/3", "/4", "/page"]);
    expect(most).toBe(1);
  });

  it("with large rules takes the memory of those that were asked before", async () => {
    const rules = `User-agent: *\n${`Allow: /${"a".repeat(50)}\n`.repeat(1900)}`;
    const site = await startSite((_, response) => void response.end(rules));
    const { outbound } = depsOf(core);
    const fetch: Fetch = (method, url, maxBytes) =>
      outbound.send(url, { method, maxBytes, headers: {}, timeoutMs: 10_000 });
    const robots = createRobots(fetch, "TerseBot", () => time.now);
    const names = Array.from({ length: 40 }, newHost);
    const ask = (host = "") => robots.allows(new URL(`http://${host}:${site.port}/page`));
    for (const host of names) await ask(host);
    await ask(names.at(-1));
    expect(site.received).toHaveLength(40);
    await ask(names[0]);
    expect(site.received).toHaveLength(41);
  });

  it("is forgotten with its last link", async () => {
    const { caller, link, host } = await newSite();
    await checkAll();
    await caller.links.delete({ id: link.id });
    await checkAll();
    const { rows } = await depsOf(core).pool.query("select from health_hosts where host = $1", [host]);
    expect(rows).toEqual([]);
  });
});

describe("links", () => {
  it("can be listed by their health", async () => {
    const { caller, link } = await newSite();
    const bad = await caller.links.create({ url: "https://nowhere.example/" });
    await checkAll();
    pass(61);
    await checkAll();
    const idsWith = async (health: HealthStatus) =>
      (await caller.links.list({ health })).data.map(({ id }) => id);
    expect(await idsWith("ok")).toEqual([link.id]);
    expect(await idsWith("unreachable")).toEqual([bad.id]);
    expect(await idsWith("broken")).toEqual([]);
  });

  it.each(named(["good", "null", ""]))(
    "are not listed by a health that does not exist: %s",
    async (_, health) => {
      const caller = core.caller(await test.actor());
      expect(await rejection(caller.links.list({ health: health as "ok" }))).toMatchObject({
        message: "health: must be one of ok, broken, unreachable, unknown",
      });
    },
  );

  it("have no health while checks are off, and nothing is asked", async () => {
    const { site, caller, link } = await newSite();
    await checkAll();
    const node = await anotherCore(test.databaseUrl, { ...options, healthChecks: "off" });
    const without = node.caller(await test.actor("pro"));
    expect(await node.health.checkDue()).toBe(0);
    expect(await statusOf(caller, link)).toBe("ok");
    const { id } = await without.links.create({ url: link.destination });
    expect(await statusOf(without, { id } as Link)).toBeNull();
    expect((await without.links.list({ health: "ok" })).data).toEqual([]);
    expect(site.received).toHaveLength(1);
  });
});
