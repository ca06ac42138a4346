import { describe, expect, it } from "vitest";
import { domainName, isApex, maxDomainLength, parseDomainName } from "../../src/domains/domain-name.ts";

const own = ["short.test", "api.terse.test", "10.0.0.1"];
const parse = (text: string) => parseDomainName(text, own);
const label = "a".repeat(63);
const longest = `${label}.${label}.${label}.${"a".repeat(maxDomainLength - 200)}.example`;

describe("a name", () => {
  it.each([
    ["go.example.com", "go.example.com"],
    ["  GO.Example.COM.  ", "go.example.com"],
    ["müller.example", "xn--mller-kva.example"],
    ["MÜLLER。example", "xn--mller-kva.example"],
    ["mu\u0308ller.example", "xn--mller-kva.example"],
    ["xn--mller-kva.example", "xn--mller-kva.example"],
    ["ｇｏ.example", "go.example"],
    ["links.go.test", "links.go.test"],
    ["example.co.uk", "example.co.uk"],
    ["me.github.io", "me.github.io"],
    ["a--b.example", "a--b.example"],
    ["1.example", "1.example"],
    ["0x7f.example", "0x7f.example"],
    ["notshort.test", "notshort.test"],
    ["short.test.example", "short.test.example"],
    [longest, longest],
  ])("has one spelling: %s", (text, domain) => {
    expect(parse(text)).toEqual({ ok: true, domain });
    expect(domainName(text)).toBe(domain);
    expect(parse(domain)).toEqual({ ok: true, domain });
  });

  it.each([
    ["https://go.example", "without https://"],
    ["HTTP://go.example/", "without https://"],
    ["go.example/path", "without a path"],
    ["go.example/", "without a path"],
    ["go.example\\", "without a path"],
    ["go.example?a", "without a path"],
    ["go.example#a", "without a path"],
    ["go.example:443", "without a port"],
    ["go.example:", "without a port"],
    ["*.example.com", "wildcards"],
    ["*", "wildcards"],
    ["", "must be a host name, such as"],
    [" ", "must be a host name, such as"],
    [".", "must be a host name, such as"],
    ["go example.com", "must be a host name, such as"],
    ["a\0b.example", "must be a host name, such as"],
    ["\uD800.example", "must be a host name, such as"],
    ["%67o.example", "must be a host name, such as"],
    ["me@go.example", "must be a host name, such as"],
    ["go.1", "must not end in a number"],
    ["ａ／ｂ.example", "must be a host name, such as"],
    ["go..example", "each part between dots"],
    [".go.example", "each part between dots"],
    ["go.example..", "each part between dots"],
    ["-go.example", "each part between dots"],
    ["go-.example", "each part between dots"],
    ["_dmarc.example.com", "each part between dots"],
    [`a${label}.example`, "each part between dots"],
    [`a${longest}`, `at most ${maxDomainLength} characters`],
    [`${"a.".repeat(5000)}example`, `at most ${maxDomainLength} characters`],
    ["example", "full host name"],
    ["localhost", "full host name"],
    ["go.localhost", ".localhost is not"],
    ["printer.local", ".local is not"],
    ["db.internal", ".internal is not"],
    ["1.0.0.127.in-addr.arpa", ".arpa is not"],
    ["go.invalid", ".invalid is not"],
    ["abc.onion", ".onion is not"],
    ["printer.lan", ".lan is not"],
    ["intranet.corp", ".corp is not"],
    ["go.home", ".home is not"],
    ["go.nosuchtld", ".nosuchtld is not"],
    ["go.123", "must not end in a number"],
    ["com", "full host name"],
    ["co.uk", "anyone can register names under co.uk"],
    ["github.io", "names under github.io"],
    ["kobe.jp", "names under kobe.jp"],
    ["公司.cn", "anyone can register names"],
    ["short.test", "this service's own hosts"],
    ["SHORT.test.", "this service's own hosts"],
    ["ｓｈｏｒｔ.test", "this service's own hosts"],
    ["go.short.test", "this service's own hosts"],
    ["api.terse.test", "this service's own hosts"],
    ["a.b.api.terse.test", "this service's own hosts"],
  ])("is refused with a reason: %j", (text, reason) => {
    expect(parse(text)).toEqual({
      ok: false,
      reason: expect.objectContaining({ message: expect.stringContaining(reason) }),
    });
  });

  it.each([
    "127.0.0.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "127.1",
    "0177.0.0.1",
    "１２７.0.0.1",
    "::1",
    "[::1]",
    "2001:db8::7",
  ])("is no IP address: %s", (text) => {
    expect(parse(text)).toEqual({
      ok: false,
      reason: expect.objectContaining({ message: "must be a host name, not an IP address" }),
    });
  });

  it("leaves room for the name of the record that proves it", () => {
    expect(`_terse-challenge.${longest}`).toHaveLength(253);
  });
});

describe("a name that is looked up", () => {
  it.each([
    ["short.test:3001", "short.test:3001"],
    [" Go.Example/Path ", "go.example/path"],
    ["*.Example", "*.example"],
    ["", ""],
  ])("stays as it is where it is none: %j", (text, name) => {
    expect(domainName(text)).toBe(name);
  });
});

it.each([
  ["example.com", true],
  ["go.example.com", false],
  ["example.co.uk", true],
  ["www.example.co.uk", false],
  ["go.test", true],
  ["links.go.test", false],
])("%s is an apex: %s", (domain, expected) => {
  expect(isApex(domain)).toBe(expected);
});
