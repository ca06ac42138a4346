import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxDestinationLength, parseDestination } from "../../src/redirects/destination.ts";

const refused = (raw: string) => {
  const result = parseDestination(raw);
  return result.ok ? undefined : result.reason.message;
};
const absolute = "must be an absolute http:// or https:// URL";
const withoutCredentials = "must not contain a user name or password";
const longHost = "must have a host name of at most 253 characters";
const letters = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + at));
const withoutControls = "must not contain control characters";

describe("accepted destinations, and what is stored for them", () => {
  it.each([
    ["a plain URL", "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["http", "http://example.com/", "http://example.com/"],
    ["no path", "https://example.com", "https://example.com/"],
    ["capitals in scheme and host", "HTTPS://EXAMPLE.com/Path", "https://example.com/Path"],
    ["spaces around it", "  https://example.com/a \n", "https://example.com/a"],
    ["the default port", "https://example.com:443/", "https://example.com/"],
    ["another port", "https://example.com:8443/", "https://example.com:8443/"],
    ["dots in the path", "https://example.com/a/../b/./c", "https://example.com/b/c"],
    [
      "encoded characters, as they are",
      "https://example.com/%7Ea%2Fb?q=%20",
      "https://example.com/%7Ea%2Fb?q=%20",
    ],
    [
      "characters that a header cannot carry",
      "https://example.com/ü?q=日本#é",
      "https://example.com/%C3%BC?q=%E6%97%A5%E6%9C%AC#%C3%A9",
    ],
    ["a space in the path", "https://example.com/a b", "https://example.com/a%20b"],
    ["a broken surrogate", "https://example.com/\uD800", "https://example.com/%EF%BF%BD"],
    ["an international host", "https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["a host of emoji", "https://💩.la/", "https://xn--ls8h.la/"],
    ["a fullwidth host", "https://ｅｘａｍｐｌｅ.com/", "https://example.com/"],
    ["IPv4", "http://192.0.2.1:8080/x", "http://192.0.2.1:8080/x"],
    ["IPv6", "http://[2001:DB8:0::1]:8080/x", "http://[2001:db8::1]:8080/x"],
    ["a trailing dot", "https://example.com./", "https://example.com./"],
    ["one host label", "http://intranet/", "http://intranet/"],
    [
      "backslashes after the host, as browsers read them",
      "https://example.com\\a\\b",
      "https://example.com/a/b",
    ],
    ["three slashes, as browsers read them", "https:///example.com/a", "https://example.com/a"],
    ["an @ behind the host", "https://example.com/@user?mail=a@b.c", "https://example.com/@user?mail=a@b.c"],
    ["an empty user name, which no URL keeps", "https://@example.com/", "https://example.com/"],
    [
      "another URL inside",
      "https://example.com/?to=javascript:alert(1)",
      "https://example.com/?to=javascript:alert(1)",
    ],
  ])("%s", (_, raw, url) => {
    expect(parseDestination(raw)).toEqual({ ok: true, url });
  });

  it("8,000 characters", () => {
    const url = `https://example.com/${"a".repeat(maxDestinationLength - 20)}`;
    expect(url).toHaveLength(8000);
    expect(parseDestination(url)).toEqual({ ok: true, url });
  });
});

describe("refused destinations, and the reason", () => {
  it.each([
    ["nothing", "", absolute],
    ["spaces", "   ", absolute],
    ["a host alone", "example.com", `${absolute}, such as https://example.com`],
    ["a scheme twice", "https://https://example.com/", "must have its scheme once, not twice"],
    ["two schemes", "http://https//example.com/", "must have its scheme once, not twice"],
    ["a path", "/a/b", absolute],
    ["a long host", `https://${"a".repeat(254)}/`, longHost],
    ["a long international host", `https://${letters(5400)}/`, longHost],
    ["a host that is long in Punycode", `https://${letters(253)}/`, longHost],
    ["a URL without its scheme", "//example.com/", absolute],
    ["one slash", "http:/example.com", absolute],
    ["no slash", "https:example.com", absolute],
    ["backslashes instead of slashes", "https:\\\\example.com\\", absolute],
    ["javascript:", "javascript:alert(1)", absolute],
    ["javascript: in capitals", "JavaScript://example.com/%0Aalert(1)", absolute],
    ["data:", "data:text/html,<script>alert(1)</script>", absolute],
    ["ftp:", "ftp://example.com/", absolute],
    ["file:", "file:///etc/passwd", absolute],
    ["mailto:", "mailto:a@example.com", absolute],
    ["blob:", "blob:https://example.com/a", absolute],
    ["view-source:", "view-source:https://example.com/", absolute],
    ["a scheme that begins with https", "httpss://example.com/", absolute],
    ["a scheme behind other text", "see https://example.com/", absolute],
    ["a user name", "https://user@example.com/", withoutCredentials],
    ["a password", "https://user:secret@example.com/", withoutCredentials],
    ["a password alone", "https://:secret@example.com/", withoutCredentials],
    ["a host as a user name", "https://example.com@evil.example/", withoutCredentials],
    ["a user name behind backslashes", "https:\\/example.com@evil.example/", absolute],
    ["a line break inside", "https://example.com/a\nb", withoutControls],
    ["a carriage return inside", "https://example.com/\r\nSet-Cookie: a=b", withoutControls],
    ["a tab in the scheme", "java\tscript:alert(1)", withoutControls],
    ["a tab in the host", "https://exa\tmple.com/", withoutControls],
    ["NUL", "https://example.com/\0", withoutControls],
    ["DEL", "https://example.com/\u007F", withoutControls],
    ["no host", "https://", "must have a host, such as example.com"],
    ["only a query", "https://?a=b", "must have a host, such as example.com"],
    ["a host of one dot", "http://./", "must have a host without empty parts between its dots"],
    ["two dots in the host", "http://a..example/", "must have a host without empty parts between its dots"],
    [
      "a lone surrogate in the host",
      "http://\ud800.example/",
      "must not have half a character (a lone surrogate) in its host",
    ],
    ["a space in the host", "https://exa mple.com/", "must not have a space in its host"],
    ["a broken IPv6 address", "http://[::1/", "is not a valid URL"],
    [
      "an IPv4 address out of range",
      "http://256.256.256.256/",
      "must not have a host that ends in a number, unless it is an IPv4 address",
    ],
    [
      "a number at the end of the host",
      "http://go.123/",
      "must not have a host that ends in a number, unless it is an IPv4 address",
    ],
    ["a port out of range", "https://example.com:65536/", "must have a port that is a number up to 65535"],
    ["a percent sign in the host", "https://exa%mple.com/", "is not a valid URL"],
  ])("%s", (_, raw, reason) => {
    expect(refused(raw)).toBe(reason);
  });

  it("more than 8,000 characters, before or after percent-encoding", () => {
    expect(refused(`https://example.com/${"a".repeat(7981)}`)).toBe("must have at most 8000 characters");
    expect(refused(`https://example.com/${"ü".repeat(2000)}`)).toBe(
      "must have at most 8000 characters once it is percent-encoded",
    );
    expect(refused(`https://example.com/${"a".repeat(10_000_000)}`)).toBe(
      "must have at most 8000 characters",
    );
  });
});

describe("any text", () => {
  const nearUrl = fc
    .tuple(
      fc.constantFrom("https://", "http://", "HTTP://", "https:///", "//", "https:\\\\", "javascript:"),
      fc.string({ unit: "binary", maxLength: 60 }),
    )
    .map((parts) => parts.join(""));

  it("is refused with a reason, or stored as an ASCII URL that parses to itself", () => {
    fc.assert(
      fc.property(fc.oneof(nearUrl, fc.string({ unit: "binary" }), fc.webUrl()), (raw) => {
        const result = parseDestination(raw);
        if (!result.ok) {
          expect(result.reason.message).toMatch(/^(must|is) /);
          return;
        }
        expect(result.url).toMatch(/^https?:\/\/[!-~]+$/);
        expect(result.url.length).toBeLessThanOrEqual(maxDestinationLength);
        const { username, password, href } = new URL(result.url);
        expect({ username, password, href }).toEqual({ username: "", password: "", href: result.url });
        expect(parseDestination(result.url)).toEqual(result);
      }),
      { numRuns: 3000 },
    );
  });

  it("is accepted if it is an ordinary web address", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (raw) => {
        expect(parseDestination(raw)).toEqual({ ok: true, url: new URL(raw).href });
      }),
    );
  });
});
