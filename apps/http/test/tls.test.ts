import { afterAll, describe, expect, it } from "vitest";
import { challengeOf, prove, startDns } from "@terse/testkit/dns";
import { startApp } from "./client.ts";

const dns = await startDns();
afterAll(() => dns.close());
const app = await startApp({ dnsServers: [dns.address], ownHosts: ["api.test", "mcp.test"] });
const ask = async (domain: string) =>
  (await app.ask("GET", `/tls/ask?domain=${encodeURIComponent(domain)}`)).status;

describe("the question whether a host may have a certificate", () => {
  it.each(["short.test", "api.test", "mcp.test", "SHORT.test", "short.test."])(
    "is answered 200 for the service's own hosts: %s",
    async (host) => {
      expect(await ask(host)).toBe(200);
    },
  );

  it("is answered 200 for a custom domain from its verification to its deletion", async () => {
    const domain = "go.example.com";
    const { account } = await app.key("pro");
    const { domains } = app.core.caller({ kind: "account", account, credential: "internal" });
    const added = await domains.create({ domain });
    expect(await ask(domain)).toBe(404);
    prove(dns, domain, challengeOf(added));
    await domains.verify({ id: added.id });
    for (const spelling of [domain, "GO.example.com", "go.example.com."])
      expect(await ask(spelling)).toBe(200);
    await domains.delete({ id: added.id });
    expect(await ask(domain)).toBe(404);
  });

  it.each([
    "",
    "nobody.example.com",
    "www.short.test",
    "short.test:443",
    "127.0.0.1",
    "[::1]",
    "a\0b",
    "'",
    "%",
    "*",
    "\uFFFD.example",
    "x".repeat(10_000),
  ])("is answered 404 for anything else: %j", async (host) => {
    expect(await ask(host)).toBe(404);
  });

  it("is answered 404 without a host, and 405 for methods other than GET and HEAD", async () => {
    expect((await app.ask("GET", "/tls/ask")).status).toBe(404);
    expect((await app.ask("HEAD", "/tls/ask?domain=short.test")).status).toBe(200);
    const { status, headers } = await app.ask("POST", "/tls/ask?domain=short.test");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
