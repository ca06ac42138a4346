import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startDns } from "@terse/testkit/dns";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { CoreEvent } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, rejection, unknownId } from "../helpers.ts";

const events: CoreEvent[] = [];
const { core, actor, close } = await createTestCore({
  outboundNetworks: ["127.0.0.0/8"],
  onEvent: (event) => void events.push(event),
});
afterAll(close);
const owner = await actor("pro");
const { links, domains } = core.caller(owner);
const { pool, newId } = depsOf(core);

interface Answer {
  status: number;
  location?: string;
}

/** An old service, and the paths and methods that it was asked about slugs that tests ask for. */
async function startOld(answer: (path: string, method: string) => Answer | null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (ours.has(decodeURIComponent(path.slice(1)))) asked.push(`${request.method} ${path}`);
    const found = answer(path, request.method ?? "");
    if (found === null) {
      request.socket.destroy();
      return;
    }
    response.writeHead(found.status, found.location === undefined ? {} : { Location: found.location });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A service that has a link for every slug that tests ask for. */
const known = (path: string): Answer =>
  ours.has(decodeURIComponent(path.slice(1)))
    ? { status: 302, location: `https://example.com${path}` }
    : { status: 404 };

let count = 0;
/** A verified domain of the account that was moved from a service. */
async function movedFrom(import_from: string, account = owner): Promise<{ host: string; id: string }> {
  const [id, host] = [newId(), `moved${++count}.example`];
  await pool.query(
    `insert into domains (id, account_id, domain, status, challenge, created_at) values ($1, $2, $3, 'verified', 'c', now())`,
    [id, account.account.id, host],
  );
  await core.caller(account).domains.update({ id, import_from });
  return { id, host };
}

const visitor = (client?: string) => ({ country: () => null, id: () => "v", client });
/** Slugs that tests have asked for */
const ours = new Set<string>();
function visit(host: string, slug: string, client: string | undefined = "198.51.100.1", node = core) {
  ours.add(slug);
  return node.redirects.resolve(host, slug, visitor(client));
}

describe("an unknown slug of a domain that was moved", () => {
  it("is asked of the old service once for a hundred visitors, becomes a link of the account, and is served", async () => {
    const old = await startOld((path) => {
      const { location, status } = known(path);
      return location === undefined ? { status } : { status: 301, location: `${location}?a=%20` };
    });
    const { host, id } = await movedFrom(old.url);
    const decisions = await Promise.all(
      Array.from({ length: 100 }, (_, at) => visit(host, "möwe", `c${at}`)),
    );
    expect(new Set(decisions.map((each) => (each.kind === "redirect" ? each.location : each.kind)))).toEqual(
      new Set(["https://example.com/m%C3%B6we?a=%20"]),
    );
    expect(old.asked).toEqual(["HEAD /m%C3%B6we"]);
    expect(await visit(host, "möwe")).toMatchObject({ kind: "redirect" });
    expect(old.asked).toHaveLength(1);
    const { data } = await links.list({ search: "möwe" });
    expect(data).toMatchObject([
      { slug: "möwe", domain: host, destination: "https://example.com/m%C3%B6we?a=%20" },
    ]);
    expect((await domains.list()).find((domain) => domain.id === id)).toMatchObject({ imported_links: 1 });
  });

  it("that the old service does not know is asked once and stays unknown", async () => {
    const old = await startOld(() => ({ status: 404 }));
    const { host } = await movedFrom(`${old.url}/`);
    expect([await visit(host, "none"), await visit(host, "none")]).toEqual([
      { kind: "not_found" },
      { kind: "not_found" },
    ]);
    expect(old.asked).toEqual(["HEAD /none"]);
  });

  it.each([
    ["its own host", (base: string) => `${base}/login`],
    ["where it sends visitors of any unknown slug", () => "https://company.example/not-found"],
    ["this service", () => "http://short.test/x"],
    ["another scheme", () => "javascript:alert(1)"],
    ["a host with a password", () => "https://user:secret@example.com/"],
  ])("makes no link if the old service sends visitors to %s", async (_, location) => {
    const old = await startOld(() => ({ status: 302, location: location(old.url) }));
    const { host } = await movedFrom(old.url);
    expect(await visit(host, "x")).toEqual({ kind: "not_found" });
    expect((await links.list({ domain: host })).meta.total).toBe(0);
  });

  /** Where services send visitors of slugs that nobody has */
  const pages: [string, (slug: string) => string][] = [
    ["with the slug in its path", (slug) => `https://company.example/not-found/${slug}`],
    [
      "with the slug in its query",
      (slug) => `https://company.example/?s=${encodeURIComponent(slug)}&lang=en`,
    ],
    ["with the slug in capitals", (slug) => `https://company.example/search/${slug.toUpperCase()}`],
    ["with the words of the slug", (slug) => `https://company.example/?q=${slug.replaceAll(/[-_]/g, "+")}`],
    ["with a time", (slug) => `https://company.example/404?from=${slug}&at=${Date.now()}${Math.random()}`],
    [
      "with a hash of the slug",
      (slug) => `https://company.example/e/${createHash("md5").update(slug).digest("hex")}`,
    ],
    [
      "that depends on the kind of the slug",
      (slug) =>
        /\d/.test(slug)
          ? "https://company.example/numbers"
          : `https://company.example/words/${slug.toLowerCase()}`,
    ],
  ];
  const words = ["summer", "Sale", "über", "big-sale-2026", "x", "A1", "404", "a_b", "e", "not-found"];

  it.each(pages)("makes no link if the old service sends visitors of it to a page %s", async (_, page) => {
    const link = "https://company.example/products?id=7";
    const old = await startOld((path) => {
      const slug = decodeURIComponent(path.slice(1));
      return { status: 302, location: slug === "Real-1" ? link : page(slug) };
    });
    const { host } = await movedFrom(old.url);
    for (const word of words) expect([word, (await visit(host, word)).kind]).toEqual([word, "not_found"]);
    expect(await visit(host, "Real-1")).toMatchObject({ kind: "redirect", location: link });
    expect((await links.list({ domain: host })).meta.total).toBe(1);
  });

  it("becomes no link that the filtering resolver blocks, nor one for which the account has no room", async () => {
    const [dns, filtering] = [await startDns(), await startDns()];
    onTestFinished(async () => void (await Promise.all([dns.close(), filtering.close()])));
    dns.set("A", "phishing.net", "192.0.2.1");
    filtering.set("A", "phishing.net", "0.0.0.0");
    const mine: CoreEvent[] = [];
    const other = await createTestCore({
      outboundNetworks: ["127.0.0.0/8"],
      dnsServers: [dns.address],
      screenDns: filtering.address,
      storedMegabytes: { pro: 0.01 },
      onEvent: (event) => void mine.push(event),
    });
    onTestFinished(other.close);
    const account = await other.actor("pro");
    const old = await startOld((path) => {
      if (path === "/blocked") return { status: 302, location: "https://phishing.net/" };
      return path === "/long"
        ? { status: 302, location: `https://192.0.2.1/${"x".repeat(7000)}` }
        : known(path);
    });
    await depsOf(other.core).pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at) values ($1, $2, 'full.example', 'verified', 'c', now())`,
      [newId(), account.account.id],
    );
    const caller = other.core.caller(account);
    const [{ id } = { id: "" }] = await caller.domains.list();
    await caller.domains.update({ id, import_from: old.url });
    const seen = (slug: string) => visit("full.example", slug, undefined, other.core);
    expect(await seen("blocked")).toEqual({ kind: "not_found" });
    const refused = () => mine.filter(({ code }) => code.startsWith("fallback_lookup"));
    expect(refused()).toEqual([]);
    await caller.links.create({ url: `https://127.0.0.1/${"y".repeat(5000)}` });
    expect(await seen("long")).toEqual({ kind: "not_found" });
    expect(refused()).toEqual([
      expect.objectContaining({
        code: "fallback_lookup_refused",
        domain: id,
        reason: expect.stringContaining("The Pro plan includes 0.01 MB"),
      }),
    ]);
    expect((await caller.links.list({})).meta.total).toBe(1);
  });

  it("becomes a link in the next hour if the domain has got too many in this one", async () => {
    let now = new Date("2026-03-01T12:20:00Z");
    const other = await createTestCore({ outboundNetworks: ["127.0.0.0/8"], clock: () => now });
    onTestFinished(other.close);
    const account = await other.actor("pro");
    const old = await startOld(known);
    const { pool: database } = depsOf(other.core);
    await database.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at, import_from, imported_hour, imported_in_hour)
       values ($1, $2, 'busy.example', 'verified', 'c', now(), $3, '2026-03-01T12:00Z', 4999)`,
      [newId(), account.account.id, old.url],
    );
    const seen = (slug: string) => visit("busy.example", slug, undefined, other.core);
    expect(await seen("last-one")).toMatchObject({ kind: "redirect" });
    expect(await rejection(seen("one-more"))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    now = new Date("2026-03-01T13:00:00Z");
    expect(await seen("one-more")).toMatchObject({ kind: "redirect" });
    const { rows } = await database.query(
      "select imported_links, imported_in_hour from domains where domain = 'busy.example'",
    );
    expect(rows).toEqual([{ imported_links: 2, imported_in_hour: 1 }]);
  });

  it("is asked by GET where HEAD is not possible", async () => {
    const old = await startOld((path, method) => (method === "HEAD" ? { status: 405 } : known(path)));
    const { host } = await movedFrom(old.url);
    expect(await visit(host, "by-get")).toMatchObject({ location: "https://example.com/by-get" });
    expect(old.asked).toEqual(["HEAD /by-get", "GET /by-get"]);
  });

  it("is not asked of anybody if it cannot be a slug, or for programs that ask for links themselves", async () => {
    const old = await startOld(known);
    const { host } = await movedFrom(old.url);
    for (const slug of ["favicon.ico", "a.b", "wp-login.php", "a/1", ".."])
      expect(await visit(host, slug)).toEqual({ kind: "not_found" });
    ours.add("alone");
    expect(await core.redirects.resolve(host, "alone", visitor())).toEqual({ kind: "not_found" });
    expect(old.asked).toEqual([]);
  });

  it("answers 503 while the old service does not answer, which is asked once in ten seconds", async () => {
    const old = await startOld(() => null);
    const { host } = await movedFrom(old.url);
    for (const slug of ["a", "b", "c"])
      expect(await rejection(visit(host, slug))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(old.asked.length).toBeLessThanOrEqual(1);
    expect(events.filter(({ service }) => service === old.url)).toMatchObject([
      { code: "fallback_lookup_failing" },
    ]);
  });

  it("does not let a flood of slugs through to the old service", async () => {
    const old = await startOld(() => ({ status: 404 }));
    const { host } = await movedFrom(old.url);
    const all = await Promise.allSettled(Array.from({ length: 500 }, (_, at) => visit(host, `flood${at}`)));
    expect(all.some(({ status }) => status === "rejected")).toBe(true);
    expect(old.asked.length).toBeLessThan(100);
  });

  it("is not asked after the setting was cleared, nor for an account on the Free plan", async () => {
    const old = await startOld(known);
    const { host, id } = await movedFrom(old.url);
    await domains.update({ id, import_from: null });
    core.redirects.invalidate({ domain_id: unknownId, slug: "" });
    await expect.poll(() => visit(host, "cleared")).toEqual({ kind: "not_found" });
    const other = await actor("pro");
    const theirs = await movedFrom(old.url, other);
    await core.accounts.setPlan(other.account.email, "free", { unverified: true });
    expect(await visit(theirs.host, "free")).toEqual({ kind: "not_found" });
  });
});

describe("the old service", () => {
  it("must not be in the operator's own network unless it is allowed", async () => {
    const other = await createTestCore();
    onTestFinished(other.close);
    const old = await startOld(known);
    const account = await other.actor("pro");
    const id = newId();
    await depsOf(other.core).pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at) values ($1, $2, 'inside.example', 'verified', 'c', now())`,
      [id, account.account.id],
    );
    await other.core.caller(account).domains.update({ id, import_from: old.url });
    const asked = other.core.redirects.resolve("inside.example", "x", visitor("c"));
    expect(await rejection(asked)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(old.asked).toEqual([]);
  });

  it.each([
    ["ftp://old.example", "import_from: must be an absolute http:// or https:// URL"],
    ["https://old.example/?a", "import_from: must have no query and no fragment"],
    ["https://user@old.example/", "import_from: must not contain a user name or password"],
    ["http://short.test", "import_from: must not point back at a short-link host (that would be a loop)"],
  ])("must not be %s", async (import_from, message) => {
    const [{ id } = { id: "" }] = await domains.list();
    expect(await rejection(domains.update({ id, import_from }))).toEqual({ code: "BAD_REQUEST", message });
  });

  it("must not be a domain that is served here", async () => {
    const old = await startOld(() => ({ status: 404 }));
    const { id, host } = await movedFrom(old.url);
    expect(await rejection(domains.update({ id, import_from: `https://${host}/` }))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^import_from: /),
    });
  });
});
