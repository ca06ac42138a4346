import { isIPv4 } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { dotted, parseAddress } from "../../src/kernel/addresses.ts";

it("an IPv4 address is read as Node reads it, and nothing else is one", () => {
  const octet = fc.oneof(
    fc.nat(300).map(String),
    fc.constantFrom("", "0", "00", "01", "255", "256", "1e1", " 1"),
  );
  const parts = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join("."));
  const noise = fc.string({ unit: fc.constantFrom("0", "1", "2", "9", ".", " ", "x"), maxLength: 16 });
  fc.assert(
    fc.property(fc.oneof(parts, noise, fc.ipV4()), (text) => {
      const address = parseAddress(text);
      expect(typeof address === "number" ? dotted(address) : null).toBe(isIPv4(text) ? text : null);
    }),
    { numRuns: 5000 },
  );
});
