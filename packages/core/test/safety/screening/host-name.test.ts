import { expect, it } from "vitest";
import { maxHostLength } from "../../../src/kernel/host-names.ts";
import { hostOfDestination, toHostName } from "../../../src/safety/screening/host-name.ts";

it.each([
  ["Bad.Example", "bad.example"],
  ["bad.example.", "bad.example"],
  ["_dmarc.bad-1.example", "_dmarc.bad-1.example"],
  ["müller.example", "xn--mller-kva.example"],
  ["MÜLLER.Example", "xn--mller-kva.example"],
  ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
  ["192.0.2.7", "192.0.2.7"],
  ["example", "example"],
])("%s is %s", (text, host) => expect(toHostName(text)).toBe(host));

it.each([
  "",
  ".",
  "a..example",
  ".example",
  "bad example",
  "bad.example/path",
  "bad.example:80",
  "user@bad.example",
  "*.bad.example",
  "bad%2eexample",
  "bad\u0000.example",
  "bad\uD800.example",
  "1.2.3",
  "bad.example.7",
  "bad.0x7f",
  "256.1.1.1",
  "2001:db8::1",
  "[2001:db8::1]",
])("%j is no host name", (text) => expect(toHostName(text)).toBeNull());

it("a name has at most 253 characters, in ASCII too", () => {
  const label = "a".repeat(49);
  const longest = `${[label, label, label, label, label].join(".")}.xyz`;
  expect(longest).toHaveLength(maxHostLength);
  expect(toHostName(longest)).toBe(longest);
  expect(toHostName(`${longest}.`)).toBe(longest);
  expect(toHostName(`a${longest}`)).toBeNull();
  expect(toHostName(`ü${longest.slice(1)}`)).toBeNull();
});

it.each([
  ["CJK", 0x4e00],
  ["emoji", 0x1f300],
])("5,400 %s characters never reach the converter", (_, first) => {
  const letters = Array.from({ length: 5400 }, (__, index) => String.fromCodePoint(first + (index % 500)));
  expect(toHostName(letters.join(""))).toBeNull();
  expect(toHostName(`${letters.slice(0, 254).join("")}.example`)).toBeNull();
});

it.each([
  "https://bad.example/",
  "https://bad.example:8443/a:b/]c?d=https://other.example/",
  "http://bad.example./",
  "http://192.0.2.7/",
  "http://[2001:db8::1]/",
  "http://[2001:db8::1]:8080/",
  "https://müller.example/ü",
])("the host of %s is the URL parser's", (text) => {
  const url = new URL(text);
  expect(hostOfDestination(url.href)).toBe(url.hostname.replace(/\.$/, ""));
});
