import { describe, expect, it } from "vitest";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";

const derive = createDeriver();
const user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const hostOf = (referrer: string, more: { user_agent?: string; flags?: number } = {}) =>
  derive({ address: "", user_agent, country: "", flags: 0, referrer, ...more }).referrer;

describe("a referrer", () => {
  it.each([
    ["https://www.example.com/", "example.com"],
    ["https://news.ycombinator.com/item?id=1#2", "news.ycombinator.com"],
    ["http://Example.COM:8080/path", "example.com"],
    ["https://example.com./", "example.com"],
    ["HTTPS://EXAMPLE.COM", "example.com"],
    ["https://example.com?secret=1", "example.com"],
    ["https://user:password@example.com/", "example.com"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://_dmarc.example.com/", "_dmarc.example.com"],
    ["http://localhost:3000/", "localhost"],
    ["http://192.0.2.7/", "192.0.2.7"],
    ["http://[2001:DB8::1]:80/", "[2001:db8::1]"],
    ["android-app://com.google.android.gm/", "com.google.android.gm"],
    ["android-app://com.Slack", "com.slack"],
  ])("%s is %s", (referrer, host) => {
    expect(hostOf(referrer)).toBe(host);
  });

  it.each([
    "",
    "about:blank",
    "null",
    "example.com",
    "//example.com/",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://example.com:99999/",
    "https://a..b/",
    "http://=cmd/",
    "javascript:alert(1)",
    "data:text/html,https://example.com/",
    "file:///etc/passwd",
    "chrome-extension://abcdef/page.html",
    `https://${"a.".repeat(200)}com/`,
    `https://${"a".repeat(16_000)}@example.com/`,
  ])("%j is none", (referrer) => {
    expect(hostOf(referrer)).toBeNull();
  });

  it("of sixteen kilobytes still has its host", () => {
    expect(hostOf(`https://example.com/${"%00é ".repeat(4_000)}`)).toBe("example.com");
  });

  it("ends before the client hints that follow it in the click log", () => {
    const hints = '#?0|"Windows"|"Brave";v="131"\ufffd\u001c';
    expect(hostOf(`https://example.com/path${hints}`)).toBe("example.com");
    expect(hostOf(`https://example.com${hints}`)).toBe("example.com");
    expect(hostOf(hints)).toBeNull();
  });

  it("of a bot is not kept, since nothing reads it", () => {
    expect(hostOf("https://example.com/", { user_agent: "curl/8.5.0" })).toBe(null);
    expect(hostOf("https://example.com/", { flags: 1 })).toBe(null);
  });
});
