import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { mmdb } from "@terse/testkit/mmdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clicksOf } from "./clicks.ts";
import { createTestApp, type TestApp } from "./app.ts";
import { exchange } from "./raw.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ TRUSTED_PROXIES: ["127.0.0.1"] });
});
afterAll(() => app.close());

const geo_rules = ["DE", "NL", "JP"].map((country) => ({
  country,
  url: `https://${country.toLowerCase()}.example/`,
}));
const elsewhere = "https://example.com/there";

/** Returns where a request with these headers is redirected, over a connection from 127.0.0.1. */
async function follow(port: number, slug: string, headers: Record<string, string>): Promise<string | null> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await exchange(
    port,
    `GET /${slug} HTTP/1.1\r\nHost: short.test\r\n${lines.join("")}Connection: close\r\n\r\n`,
  );
  return answer.headers.get("location");
}

describe("a link with country rules", () => {
  it.each([
    ["130.133.1.1", "https://de.example/"], // Freie Universität Berlin
    ["193.0.6.139", "https://nl.example/"], // RIPE NCC
    ["133.11.1.1", "https://jp.example/"], // University of Tokyo
    ["2001:67c:2e8:22::c100:68b", "https://nl.example/"],
    ["8.8.8.8", elsewhere], // Google, US
    ["10.0.0.1", elsewhere],
    ["nonsense", elsewhere],
  ])("redirects %s, forwarded by a trusted proxy, to %s", async (address, location) => {
    const { slug } = await app.link({ geo_rules });
    const { port } = await app.serve();
    expect(await follow(port, slug, { "X-Forwarded-For": address })).toBe(location);
    expect(await follow(port, slug, { "X-Forwarded-For": `192.0.2.1, ${address}` })).toBe(location);
  });

  it("prefers the country header of a trusted proxy to the country of the address", async () => {
    const { slug } = await app.link({ geo_rules });
    const { port } = await app.serve();
    const from = { "X-Forwarded-For": "130.133.1.1" };
    expect(await follow(port, slug, { ...from, "CF-IPCountry": "JP" })).toBe("https://jp.example/");
    expect(await follow(port, slug, { ...from, "CF-IPCountry": "US" })).toBe(elsewhere);
    expect(await follow(port, slug, { ...from, "CF-IPCountry": "XX" })).toBe("https://de.example/");
    expect(await follow(port, slug, { ...from, "CF-IPCountry": "T1" })).toBe("https://de.example/");
  });

  it("ignores both from other peers", async () => {
    const plain = await createTestApp();
    const { slug } = await plain.link({ geo_rules });
    const { port } = await plain.serve();
    const headers = { "X-Forwarded-For": "130.133.1.1", "CF-IPCountry": "JP", Forwarded: "for=130.133.1.1" };
    expect(await follow(port, slug, headers)).toBe(elsewhere);
    await plain.close();
  });

  it("counts the click under the country that was used", async () => {
    const { id, slug } = await app.link({ geo_rules });
    const { port } = await app.serve();
    await follow(port, slug, { "X-Forwarded-For": "130.133.1.1" });
    await follow(port, slug, { "X-Forwarded-For": "130.133.1.1", "CF-IPCountry": "JP" });
    expect((await clicksOf(app, id)).map(({ country }) => country)).toEqual(["DE", "JP"]);
  });

  it("decides by the operator's database, which also counts", async () => {
    const geoDatabase = join(await tempFolder(), "places.mmdb");
    await writeFile(geoDatabase, mmdb([["130.133.0.0/16", { country: { iso_code: "NL" } }]]));
    const own = await createTestApp({ TRUSTED_PROXIES: ["127.0.0.1"] }, { geoDatabase });
    const { id, slug } = await own.link({ geo_rules });
    const { port } = await own.serve();
    expect(await follow(port, slug, { "X-Forwarded-For": "130.133.1.1" })).toBe("https://nl.example/");
    expect(await follow(port, slug, { "X-Forwarded-For": "133.11.1.1" })).toBe("https://jp.example/");
    expect((await clicksOf(own, id)).map(({ country }) => country)).toEqual(["NL", "JP"]);
    await own.close();
  });

  it("sets no cookie", async () => {
    const { slug } = await app.link({ geo_rules });
    expect((await app.get(`/${slug}`)).headers.get("set-cookie")).toBeNull();
  });
});
