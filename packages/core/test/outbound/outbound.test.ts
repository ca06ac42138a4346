import { describe, expect, it, vi } from "vitest";
import { testDns } from "@terse/testkit/dns";
import { createDns } from "../../src/kernel/dns.ts";
import { createShortHost } from "../../src/kernel/host-names.ts";
import { createOutbound, type OutboundAnswer, type OutboundError } from "../../src/outbound/outbound.ts";
import { named } from "../helpers.ts";
import { answering, startSite } from "./site.ts";

const request = { method: "GET", headers: {}, maxBytes: 1000, timeoutMs: 10_000 } as const;

/** Requests over a resolver of the test. */
async function setUp(networks: readonly string[] = []) {
  const dns = await testDns();
  const outbound = createOutbound(
    createDns([dns.address], createShortHost("http://short.test"), () => new Date()),
    networks,
  );
  const get = (url: string): Promise<OutboundAnswer> => outbound.send(new URL(url), request);
  return { dns, outbound, get };
}

const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => "answered",
    (error: unknown) => (error as OutboundError).kind,
  );

describe("a request to a host that a user chose", () => {
  it("goes to the address of the host and returns its answer", async () => {
    const site = await startSite((_, response) => void response.writeHead(404).end("not here"));
    const { dns, get } = await setUp(["127.0.0.0/8"]);
    dns.set("A", "site.example", "127.0.0.1");
    expect(await get(`http://site.example:${site.port}/a?b`)).toEqual({
      status: 404,
      location: null,
      contentType: null,
      body: "not here",
    });
    expect(site.received).toMatchObject([
      { path: "/a?b", headers: { host: `site.example:${site.port}`, connection: "close" } },
    ]);
  });

  it.each(
    named([
      "http://127.0.0.1/",
      "http://0x7f.1/",
      "http://0/",
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://100.64.0.1/",
      "http://[::1]/",
      "http://[::]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[fe80::1]/",
      "http://[fd00::1]/",
      "http://[64:ff9b::7f00:1]/",
    ]),
  )("does not go to %s", async (_name, url) => {
    const { get } = await setUp();
    expect(await failureOf(get(url))).toBe("private");
  });

  it("does not go to a name with private addresses only", async () => {
    const { dns, get } = await setUp();
    dns.set("A", "inside.example", "127.0.0.1", "10.1.2.3");
    dns.set("AAAA", "inside.example", "::1");
    expect(await failureOf(get("http://inside.example/"))).toBe("private");
    dns.set("CNAME", "alias.example", "inside.example");
    expect(await failureOf(get("http://alias.example/"))).toBe("private");
  });

  it("goes only into those private networks that the operator allows", async () => {
    const site = await startSite();
    const { dns, get } = await setUp(["127.0.0.1/32", "fd00::/8"]);
    dns.set("A", "site.example", "127.0.0.1", "10.0.0.1");
    expect(await get(`http://site.example:${site.port}/`)).toMatchObject({ status: 200 });
    expect(await failureOf(get("http://127.0.0.2/"))).toBe("private");
    expect(await failureOf(get("http://10.0.0.1/"))).toBe("private");
  });

  it("connects to the address that was checked, although the name leads elsewhere by then", async () => {
    const inside = await startSite();
    const { dns, get } = await setUp(["127.0.0.9/32"]);
    dns.set("A", "rebinding.example", "127.0.0.9");
    const answer = failureOf(get(`http://rebinding.example:${inside.port}/`));
    await vi.waitUntil(() => dns.asked.length === 2);
    dns.set("A", "rebinding.example", "127.0.0.1");
    expect(await answer).toBe("connection");
    expect(dns.asked).toEqual(["rebinding.example", "rebinding.example"]); // A and AAAA, once
    expect(inside.received).toEqual([]);
    expect(await failureOf(get(`http://rebinding.example:${inside.port}/`))).toBe("private");
  });

  it("does not follow redirects", async () => {
    const site = await startSite(answering(302, { location: "http://127.0.0.1/elsewhere" }));
    const { get } = await setUp(["127.0.0.0/8"]);
    expect(await get(site.url)).toMatchObject({ status: 302, location: "http://127.0.0.1/elsewhere" });
    expect(site.received).toHaveLength(1);
  });

  it("escapes bytes of UTF-8 in the address of a redirect, as browsers do", async () => {
    const location = Buffer.from("https://bücher.example/ä?q=%C3%BC#é").toString("latin1");
    const site = await startSite(answering(302, { location }));
    const { get } = await setUp(["127.0.0.0/8"]);
    const answer = await get(site.url);
    expect(answer.location).toBe("https://b%C3%BCcher.example/%C3%A4?q=%C3%BC#%C3%A9");
    expect(new URL(answer.location ?? "").href).toBe("https://xn--bcher-kva.example/%C3%A4?q=%C3%BC#%C3%A9");
  });

  it("uses no proxy of the environment", async () => {
    const proxy = await startSite();
    const site = await startSite();
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("http_proxy", proxy.url);
    const { get } = await setUp(["127.0.0.0/8"]);
    expect(await get(site.url)).toMatchObject({ status: 200 });
    vi.unstubAllEnvs();
    expect(proxy.received).toEqual([]);
  });

  it("reads no more of an endless answer than it may", async () => {
    const site = await startSite((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
      };
      response.on("drain", more);
      more();
    });
    const { get } = await setUp(["127.0.0.0/8"]);
    expect((await get(site.url)).body).toBe("x".repeat(1000));
  });

  it("ends after its time, whether the host, the resolver or the body takes too long", async () => {
    const site = await startSite(({ path }, response) => {
      if (path === "/body") response.write("begins");
    });
    const { dns, outbound } = await setUp(["127.0.0.0/8"]);
    const get = (url: string) => failureOf(outbound.send(new URL(url), { ...request, timeoutMs: 100 }));
    expect(await get(site.url)).toBe("timeout");
    expect(await get(`${site.url}body`)).toBe("timeout");
    dns.become("silent");
    expect(await get("http://slow.example/")).toBe("timeout");
  });

  it("says why there was no answer", async () => {
    const { dns, get } = await setUp(["127.0.0.0/8"]);
    await expect(get("http://nobody.example/")).rejects.toThrow("The host has no address");
    dns.become("failing");
    await expect(get("http://nobody.example/")).rejects.toThrow("The resolver did not answer");
    await expect(get("http://127.0.0.1:1/")).rejects.toThrow("The connection failed: ECONNREFUSED");
  });
});

it("refuses a text that is not a network", async () => {
  for (const network of [
    "example.com",
    "10.0.0.0/33",
    "example.com/8",
    "10.0.0.0/8/8",
    "::/129",
    "10.0.0.0/x",
  ])
    await expect(setUp([network])).rejects.toThrow(`${network} is not a network`);
});
