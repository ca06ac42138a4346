import { describe, expect, it } from "vitest";
import {
  hasLongHost,
  hostToAscii,
  isLongHost,
  parseReference,
  parseUrl,
} from "../../src/kernel/host-names.ts";

const letters = (count: number, first = 0x4e00) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at)).join("");
const longest = letters(253);
const tooLong = letters(254);

describe("a host of more than 253 code points", () => {
  it.each([
    ["in a URL", `https://${tooLong}/`],
    ["with a port", `https://${tooLong}:8443/`],
    ["with a final dot", `https://${tooLong}./`],
    ["with a user name", `https://user@${tooLong}/`],
    ["percent-encoded", `https://${encodeURIComponent(letters(100))}/`],
    ["without slashes", `https:${tooLong}`],
    ["after slashes of both kinds", `https:\\/\\${tooLong}`],
    ["after tabs and line breaks, which URL parsers skip", `ht\ttps:\n/\r/\t${tooLong}`],
    ["between spaces", ` https://${tooLong} `],
    ["of characters with two code units", `https://${letters(254, 0x20000)}/`],
    ["before a query", `https://${tooLong}?q`],
    ["before a fragment", `https://${tooLong}#f`],
  ])("is seen %s, and not parsed", (_, text) => {
    expect(hasLongHost(text)).toBe(true);
    expect(parseUrl(text)).toBeNull();
  });

  it.each([`//${tooLong}/x`, `/\\${tooLong}`, ` \t/\n/${tooLong}`, `https://${tooLong}/`, `http:${tooLong}`])(
    "is not parsed relative to another URL: %s",
    (text) => {
      expect(parseReference(text, new URL("http://other.example/a/b"))).toBeNull();
    },
  );

  it("has no ASCII spelling", () => {
    expect(hostToAscii(tooLong)).toBe("");
  });
});

describe("a host of 253 code points", () => {
  it.each([
    ["in a URL", `https://${longest}/`],
    ["with a port", `https://${longest}:65535/`],
    ["with a final dot", `https://${longest}.`],
    ["of characters with two code units", `https://${letters(253, 0x20000)}/`],
    ["before a long path", `https://example.com/${tooLong}`],
    ["before a long query", `https://example.com?${tooLong}`],
    ["before a long fragment", `https://example.com#${tooLong}`],
  ])("is parsed %s", (_, text) => {
    expect(hasLongHost(text)).toBe(false);
    expect(parseUrl(text)?.href).toBe(URL.parse(text)?.href);
    expect(parseUrl(text)).not.toBeNull();
  });

  it("is spelled in ASCII", () => {
    expect(isLongHost(longest)).toBe(false);
    expect(hostToAscii("müller.example")).toBe("xn--mller-kva.example");
  });
});

it.each([
  ["../c?d#e", "https://example.com/c?d#e"],
  ["//example.org/x", "https://example.org/x"],
  [`/${tooLong}`, `https://example.com/${encodeURIComponent(tooLong)}`],
  [`//${longest.slice(0, 60)}.example/`, expect.stringContaining("https://xn--")],
  ["http://[", undefined],
])("a reference such as %s is parsed relative to its base", (text, href) => {
  expect(parseReference(text, new URL("https://example.com/a/b"))?.href).toEqual(href);
});
