import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { CoreEvent } from "../../src/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
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

/** An old service, and the paths and methods that it was asked. */
async function startOld(answer: (path: string, method: string) => Answer | null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (!path.startsWith("/terse-")) asked.push(`${request.method} ${path}`);
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

/** A service that has a link for every slug but the one that nobody has. */
const known = (path: string): Answer =>
  path.startsWith("/terse-") ? { status: 404 } : { status: 302, location: `https://example.com${path}` };

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
const visit = (host: string, slug: string, client: string | undefined = "198.51.100.1") =>
  core.redirects.resolve(host, slug, visitor(client));

describe("an unknown slug of a domain that was moved", () => {
  it("is asked of the old service once for a hundred visitors, becomes a link of the account, and is served", async () => {
    const old = await startOld((path) =>
      path.startsWith("/terse-")
        ? { status: 404 }
        : { status: 301, location: `https://example.com${path}?a=%20` },
    );
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
      { code: "import_on_miss_failing" },
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
