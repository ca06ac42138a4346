import { describe, expect, it } from "vitest";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";

const derive = createDeriver();
const countryOf = (address: string, country = "") =>
  derive({ address, country, user_agent: "", referrer: "", flags: 0 }).country;

describe("the country of a click", () => {
  it.each([
    ["8.8.8.8", "US"], // Google
    ["193.0.6.139", "NL"], // RIPE NCC
    ["130.133.1.1", "DE"], // Freie Universität Berlin
    ["129.67.1.1", "GB"], // Oxford
    ["133.11.1.1", "JP"], // University of Tokyo
    ["200.160.2.3", "BR"], // NIC.br
    ["2001:4860:4860::8888", "US"],
    ["2001:67c:2e8:22::c100:68b", "NL"],
    ["2A02:2E0:3FE:1001:302::", "DE"],
  ])("of %s is %s by its registration", (address, country) => {
    expect(countryOf(address)).toBe(country);
  });

  it.each(["::ffff:8.8.8.8", "::FFFF:8.8.8.8", "::ffff:808:808", "0:0:0:0:0:ffff:0808:0808"])(
    "of %s is that of its IPv4 address",
    (address) => {
      expect(countryOf(address)).toBe("US");
    },
  );

  it("is the same with a zone in the address", () => {
    expect(countryOf("2001:4860:4860::8888%eth0")).toBe("US");
  });

  it.each(
    `10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 127.0.0.1 169.254.1.1 100.64.0.1 0.0.0.0 192.0.2.1
    198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 255.255.255.255 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12::1
    ff02::1 2001:db8::1 2001::1 2002:808:808::1 3fff:1::1 ::ffff:10.0.0.1 ::ffff:192.168.1.1`.split(/\s+/),
  )("of %s, which is not public, is unknown", (address) => {
    expect(countryOf(address)).toBeNull();
  });

  it.each([
    "",
    " ",
    "garbage",
    "8.8.8",
    "8.8.8.8.8",
    "999.1.1.1",
    "08.8.8.8",
    "8.8.8.8:80",
    "8.8.8.8%1",
    "1::2::3",
    "[2001:4860:4860::8888]",
    "::ffff:999.1.1.1",
    "%",
    "2001:4860:4860::8888".repeat(800),
  ])("of %j, which is not an address, is unknown", (address) => {
    expect(countryOf(address)).toBeNull();
  });

  it("is the one from a trusted proxy, whatever the address", () => {
    expect(countryOf("8.8.8.8", "FR")).toBe("FR");
    expect(countryOf("10.0.0.1", " fr ")).toBe("FR");
    expect(countryOf("", "XK")).toBe("XK");
  });

  it.each(["XX", "ZZ", "T1", "A1", "EU", "AP", "UK", "USA", "U", "é", "="])(
    "is looked up if the proxy says %s, which is not a country",
    (named) => {
      expect(countryOf("8.8.8.8", named)).toBe("US");
      expect(countryOf("10.0.0.1", named)).toBeNull();
    },
  );
});
