import { describe, expect, it } from "vitest";
import { createClientInfo, rateLimitKey } from "../src/index.ts";

const proxied = createClientInfo(["10.0.0.0/8", "192.0.2.1", "fd00::/8"]);
const headers = (fields: Record<string, string>) => new Headers(fields);
const via = (forwardedFor: string, peer = "10.0.0.1") =>
  proxied(peer, headers({ "X-Forwarded-For": forwardedFor })).address;

describe("without a trusted proxy", () => {
  const lies = headers({ "X-Forwarded-For": "1.1.1.1", "X-Forwarded-Proto": "https", "CF-IPCountry": "FR" });

  it.each([
    ["no proxies configured", createClientInfo([])],
    ["a peer outside the configured ones", proxied],
  ])("trusts no header: %s", (_, clientInfo) => {
    expect(clientInfo("203.0.113.9", lies)).toEqual({
      address: "203.0.113.9",
      protocol: undefined,
      country: null,
    });
  });

  it("trusts no header if the peer is unknown, even if every address is trusted", () => {
    const everyone = createClientInfo(["0.0.0.0/0", "::/0"]);
    expect(everyone(undefined, lies)).toEqual({ address: "0.0.0.0", protocol: undefined, country: null });
    expect(everyone("not an address", lies).address).toBe("0.0.0.0");
  });

  it.each([
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:203.0.113.9", "203.0.113.9"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("gives %s as %s", (peer, address) => {
    expect(createClientInfo([])(peer, headers({})).address).toBe(address);
  });
});

describe("behind trusted proxies", () => {
  it.each([
    ["one proxy", "203.0.113.9", "203.0.113.9"],
    ["a chain of trusted proxies", "203.0.113.9, 10.1.1.1, 192.0.2.1", "203.0.113.9"],
    ["what the client made up on the left", "1.1.1.1, 10.9.9.9, 203.0.113.9, 10.1.1.1", "203.0.113.9"],
    ["only trusted hops", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["no header", "", "10.0.0.1"],
    ["IPv4-mapped hops", "203.0.113.9, ::ffff:10.1.1.1", "203.0.113.9"],
    ["IPv6", "2001:DB8::9, fd00::1", "2001:db8::9"],
    ["ports", "[2001:db8::9]:443, 10.1.1.1:8080", "2001:db8::9"],
  ])("finds the client with %s", (_, forwardedFor, client) => {
    expect(via(forwardedFor)).toBe(client);
  });

  it.each([
    ["203.0.113.9, unknown, 10.1.1.1", "10.1.1.1"],
    ["203.0.113.9,, 10.1.1.1", "10.1.1.1"],
    ["203.0.113.9, 10.1.1.1,", "10.0.0.1"],
    ["203.0.113.9, 010.1.1.1", "10.0.0.1"],
    ["203.0.113.9, 10.1.1.1/8", "10.0.0.1"],
    ["203.0.113.9, 10.1.1.1:99999", "10.0.0.1"],
    ["[203.0.113.9]", "10.0.0.1"],
    ["<script>", "10.0.0.1"],
  ])("stops at the last valid hop of %j", (forwardedFor, client) => {
    expect(via(forwardedFor)).toBe(client);
  });

  it("trusts a peer that is IPv4-mapped", () => {
    expect(via("203.0.113.9", "::ffff:10.0.0.1")).toBe("203.0.113.9");
  });

  it("trusts a block in IPv4-mapped notation", () => {
    const mapped = createClientInfo(["::ffff:10.0.0.0/104"]);
    expect(mapped("10.2.3.4", headers({ "X-Forwarded-For": "203.0.113.9" })).address).toBe("203.0.113.9");
    expect(mapped("11.2.3.4", headers({ "X-Forwarded-For": "203.0.113.9" })).address).toBe("11.2.3.4");
  });

  it("parses a list of a hundred thousand hops in linear time", () => {
    expect(via(`203.0.113.9, ${Array(100_000).fill("10.1.1.1").join(", ")}`)).toBe("203.0.113.9");
    expect(via(`${"1.1.1.1,".repeat(100_000)} 203.0.113.9`)).toBe("203.0.113.9");
    expect(via(",".repeat(1_000_000))).toBe("10.0.0.1");
  });

  it.each([
    ["https", "https"],
    ["http", "http"],
    ["HTTPS", "https"],
    ["http, https", "https"],
    ["https, javascript", undefined],
    ["", undefined],
  ])("takes the last value of the protocol %j: %s", (value, protocol) => {
    expect(proxied("10.0.0.1", headers({ "X-Forwarded-Proto": value })).protocol).toBe(protocol);
  });

  it.each([
    [{ "CF-IPCountry": " fr " }, "fr"],
    [{ "X-Vercel-IP-Country": "DE" }, "DE"],
    [{ "CloudFront-Viewer-Country": "JP" }, "JP"],
    [{ "X-Country-Code": "XK" }, "XK"],
    [{ "CF-IPCountry": "XX" }, "XX"],
    [{ "CF-IPCountry": "XX", "X-Country-Code": "FR" }, "XX"],
    [{}, null],
  ])("reads the country of %j as %s", (fields, country) => {
    expect(proxied("10.0.0.1", headers(fields as Record<string, string>)).country).toBe(country);
  });
});

it("rejects a trusted proxy that is not an address", () => {
  expect(() => createClientInfo(["10.0.0.0/8", "proxy"])).toThrow(RangeError);
});

describe("the key of rate limits", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:0DB8:0000::ffff", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3::", "1:2:3:0::/64"],
  ])("of %s is %s", (address, key) => {
    expect(rateLimitKey(address)).toBe(key);
  });

  it("is the same for a whole IPv6 network and differs for the next", () => {
    expect(rateLimitKey("2001:db8:0:7::1")).toBe(rateLimitKey("2001:db8:0:7:ffff:ffff:ffff:ffff"));
    expect(rateLimitKey("2001:db8:0:7::1")).not.toBe(rateLimitKey("2001:db8:0:8::1"));
  });
});
