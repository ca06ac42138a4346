import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keyOf, visitorHash } from "../../../src/clicks/drain/prepare/visitors.ts";

const salt = randomBytes(32);
const key = keyOf(salt);
const hashOf = (address: string, userAgent = "Firefox") => visitorHash(key, address, userAgent);

describe("a visitor's hash", () => {
  it("has 8 bytes and is the same for the same visitor", () => {
    expect(visitorHash(key, "8.8.8.8", "Firefox")).toHaveLength(8);
    expect(hashOf("8.8.8.8")).toBe(hashOf("8.8.8.8"));
  });

  it("differs with salt, address and user agent", () => {
    const hashes = [
      hashOf("8.8.8.8"),
      hashOf("8.8.8.9"),
      hashOf("8.8.8.8", "Chrome"),
      hashOf("2001:db8::1"),
      hashOf(""),
      visitorHash(keyOf(randomBytes(32)), "8.8.8.8", "Firefox"),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("accepts a salt within a larger buffer", () => {
    const larger = Buffer.concat([randomBytes(5), salt, randomBytes(5)]);
    expect(visitorHash(keyOf(larger.subarray(5, 37)), "8.8.8.8", "Firefox")).toEqual(
      visitorHash(key, "8.8.8.8", "Firefox"),
    );
    expect(visitorHash(keyOf(new Uint8Array(salt)), "8.8.8.8", "Firefox")).toBe(hashOf("8.8.8.8"));
  });

  it("is the same for all temporary addresses of an IPv6 network, in any spelling", () => {
    const first = hashOf("2001:db8:1:2:3:4:5:6");
    for (const address of ["2001:db8:1:2::", "2001:DB8:1:2:ffff::1", "2001:0db8:0001:0002:0:0:192.0.2.1"])
      expect(hashOf(address)).toBe(first);
    expect(hashOf("2001:db8:1:3::1")).not.toBe(first);
    expect(hashOf("2001:db8:1::1")).not.toBe(first);
  });

  it("is that of the IPv4 address for an IPv4-mapped IPv6 address", () => {
    expect(hashOf("::ffff:8.8.8.8")).toBe(hashOf("8.8.8.8"));
    expect(hashOf("::ffff:0808:0808")).toBe(hashOf("8.8.8.8"));
  });

  it("differs for different texts that are not addresses, too", () => {
    expect(hashOf("garbage")).not.toBe(hashOf("rubbish"));
  });
});
